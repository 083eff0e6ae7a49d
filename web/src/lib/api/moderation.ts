/** HTTP endpoints of moderators. */
import { callApi } from './http';
import type { ModeratorAct, ReportList } from './server';
import type { Language } from './types';

/** `before`: cursor from the previous answer. */
export const fetchReports = (before: number | null, language: Language) =>
  callApi<ReportList>(
    `/moderation/reports${before === null ? '' : `?${new URLSearchParams({ before: String(before) })}`}`,
    language,
  );

export const moderateLine = (line: number, act: ModeratorAct, language: Language) =>
  callApi<null>(`/moderation/lines/${line}`, language, { body: act });
