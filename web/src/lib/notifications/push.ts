/** The subscription of this browser to the notifications of the server. */
import { addDestination, type Kind } from '../api/notifications';
import type { Language } from '../api/types';
import { requestPermission } from '../platform/notifications';

/** Whether this browser can be notified while no page is open. */
export const canPush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && window.isSecureContext;

/** Why this browser cannot be notified: the user refused, or its push service cannot be reached. */
type PushProblem = 'blocked' | 'failed';

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** Subscribes this browser. Returns the id of the destination, or the problem. */
export async function subscribe(
  key: string,
  kinds: Kind[],
  language: Language,
): Promise<{ id: string } | { problem: PushProblem }> {
  if (!(await requestPermission())) return { problem: 'blocked' };
  const worker = await navigator.serviceWorker.ready;
  let subscription: PushSubscription;
  try {
    // A subscription of another key would be refused.
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    subscription = await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: fromBase64Url(key),
    });
  } catch {
    return { problem: 'failed' };
  }
  const { keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (p256dh === undefined || auth === undefined) return { problem: 'failed' };
  const added = await addDestination(
    { channel: 'push', address: subscription.endpoint, kinds, keys: { p256dh, auth } },
    language,
  );
  return { id: added.destination.id };
}
