/** Notifications for a user who looks elsewhere: a sound and, if enabled, a browser notification. */
import { settings } from './settings.svelte';
import { play } from './sound';

/** Whether this browser supports notifications. */
export const canNotify = () => 'Notification' in window && window.isSecureContext;

/** Asks for the permission when the user enables notifications. Returns whether it was granted. */
export async function requestPermission(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** `tag`: a new notification replaces the one with the same tag. */
export function notify(title: string, body: string, tag: string): void {
  if (!document.hidden) return;
  if (settings.sound) play('call');
  if (!settings.notify || !canNotify() || Notification.permission !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag, icon: '/icon.svg' });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Some phones allow notifications only to installed pages: sound and title remain.
  }
}
