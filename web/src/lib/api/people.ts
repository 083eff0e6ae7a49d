/** HTTP endpoints of profiles, friends and blocked people. */
import { callApi } from './http';
import type { People, PersonGames, Profile } from './server';
import type { Language } from './types';

export type {
  Friend,
  OpponentScore,
  People,
  PersonGame,
  PersonGames,
  Profile,
  RatingHistory,
  Score,
  SeatScore,
  Trophy,
} from './server';

export const fetchProfile = (name: string, language: Language) =>
  callApi<Profile>(`/people/profile?${new URLSearchParams({ name })}`, language);

/** `game`: the name of a game, or empty; `after`: cursor from the previous answer, or empty. */
export const fetchPersonGames = (name: string, game: string, after: string, language: Language) => {
  const query = Object.entries({ name, game, after }).filter(([, value]) => value !== '');
  return callApi<PersonGames>(`/people/games?${new URLSearchParams(query)}`, language);
};

export const setRelation = (name: string, kind: Profile['relation'], language: Language) =>
  callApi<Profile>('/people/relation', language, { body: { name, kind } });

export const fetchPeople = (language: Language) => callApi<People>('/account/people', language);

export const setPrivate = (isPrivate: boolean, language: Language) =>
  callApi<null>('/account/profile', language, { body: { private: isPrivate } });

/** Declines an invitation to a match. */
export const declineChallenge = (match: string, language: Language) =>
  callApi<null>(`/matches/${encodeURIComponent(match)}/decline`, language, { body: {} });
