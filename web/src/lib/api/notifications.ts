/** The HTTP endpoints of notifications. */
import { callApi } from './http';
import type { NotificationList } from './server';
import type { Language } from './types';

export type { Notification as Notice, NotificationList } from './server';

/** Marks notifications as read; `ids` null: all. */
export const markRead = (ids: number[] | null, tokens: string[], language: Language) =>
  callApi<NotificationList>('/notifications/read', language, { body: { ids, tokens } });
