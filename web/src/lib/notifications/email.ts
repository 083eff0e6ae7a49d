/** The links in mail, and the time zone of its hours. */

/** The time zone of this device, such as `Asia/Tokyo`. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The links in mail: what they do, and their secret. */
interface MailLink {
  action: 'confirm' | 'unsubscribe';
  link: string;
}

/** Returns the link in the fragment of an address, or null. */
export function parseMailLink(fragment: string): MailLink | null {
  const [, action, link] = /^#(confirm|unsubscribe)=([\w.-]+)$/.exec(fragment) ?? [];
  if (link === undefined) return null;
  return { action: action === 'confirm' ? 'confirm' : 'unsubscribe', link };
}
