/** Calls somebody back who looks elsewhere: by sound and, if they switched it on, by the browser's notifications. */
import { settings } from './settings.svelte';
import { play } from './sound';

/** Whether this browser can notify at all. */
export const canNotify = () => 'Notification' in window && window.isSecureContext;

/** Asks the person once; only when they switch it on. Returns whether they agree. */
export async function requestPermission(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** `tag`: one notification stands for all of the same. */
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
    // Some phones only let installed pages notify: there is the sound, and the title.
  }
}
