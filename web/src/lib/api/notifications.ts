/** The HTTP endpoints of notifications. */
import { callApi } from './http';
import type {
  Destination,
  Destinations,
  EmailOptions,
  NewDestination,
  Notification,
  NotificationList,
} from './server';
import type { Language } from './types';

export type {
  Destination,
  Destinations,
  EmailOptions,
  NewDestination,
  Notification as Notice,
  NotificationList,
} from './server';

export type Kind = Notification['kind'];

export const ALL_KINDS: Kind[] = ['turn', 'time', 'request', 'chat', 'challenge', 'over', 'round', 'report'];

/** Marks notifications as read; `ids` null: all. */
export const markRead = (ids: number[] | null, tokens: string[], language: Language) =>
  callApi<NotificationList>('/notifications/read', language, { body: { ids, tokens } });

export const fetchDestinations = (language: Language) =>
  callApi<Destinations>('/account/destinations', language);

export const addDestination = (destination: NewDestination, language: Language) =>
  callApi<{ destination: Destination; secret?: string }>('/account/destinations', language, {
    body: destination,
  });

/** Chooses the kinds that go to a destination; of an e-mail address also when. */
export const changeDestination = (
  destination: string,
  body: { kinds: Kind[]; email?: EmailOptions },
  language: Language,
) => callApi<null>(`/account/destinations/${encodeURIComponent(destination)}`, language, { body });

/** Sends the link that confirms an e-mail address again. */
export const sendConfirmation = (destination: string, language: Language) =>
  callApi<null>(`/account/destinations/${encodeURIComponent(destination)}/confirmation`, language, {
    body: {},
  });

export const confirmEmail = (link: string, language: Language) =>
  callApi<null>('/email/confirm', language, { body: { link } });

export const unsubscribeEmail = (link: string, language: Language) =>
  callApi<null>(`/email/unsubscribe/${encodeURIComponent(link)}`, language, { body: {} });

export const removeDestination = (destination: string, language: Language) =>
  callApi<null>(`/account/destinations/${encodeURIComponent(destination)}`, language, { method: 'DELETE' });
