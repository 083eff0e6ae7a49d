/** The HTTP endpoints of notifications. */
import { callApi } from './http';
import type { Destination, Destinations, NewDestination, Notification, NotificationList } from './server';
import type { Language } from './types';

export type { Destination, Destinations, Notification as Notice, NotificationList } from './server';

export type Kind = Notification['kind'];

/** Marks notifications as read; `ids` null: all. */
export const markRead = (ids: number[] | null, tokens: string[], language: Language) =>
  callApi<NotificationList>('/notifications/read', language, { body: { ids, tokens } });

export const fetchDestinations = (language: Language) =>
  callApi<Destinations>('/account/destinations', language);

export const addDestination = (destination: NewDestination, language: Language) =>
  callApi<{ destination: Destination; secret?: string }>('/account/destinations', language, {
    body: destination,
  });

export const setKinds = (destination: string, kinds: Kind[], language: Language) =>
  callApi<null>(`/account/destinations/${encodeURIComponent(destination)}`, language, { body: { kinds } });

export const removeDestination = (destination: string, language: Language) =>
  callApi<null>(`/account/destinations/${encodeURIComponent(destination)}`, language, { method: 'DELETE' });
