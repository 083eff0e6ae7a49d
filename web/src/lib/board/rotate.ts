/** Rotates the selected piece by the wheel or by a tap of two fingers. */
import type { Attachment } from 'svelte/attachments';

/** A continuing wheel movement is one step. */
const PAUSE = 140;
/** The longest tap, in milliseconds. */
const TAP = 350;
/** The farthest movement of a tap, in pixels. */
const SLIP = 16;

/** `rotate` returns whether a piece was rotated; if not, wheel and fingers keep their usual effect. */
export function rotateGestures(rotate: (by: 1 | -1) => boolean): Attachment<SVGElement> {
  return (board) => {
    let rolled = 0;
    let laid = 0;
    let [x, y] = [0, 0];

    const onwheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      const rolls = event.timeStamp - rolled < PAUSE;
      if (!rolls && !rotate(event.deltaY > 0 ? 1 : -1)) return;
      event.preventDefault();
      rolled = event.timeStamp;
    };
    const ontouchstart = (event: TouchEvent) => {
      laid = event.touches.length === 2 ? event.timeStamp : 0;
      [x, y] = [event.touches[0]?.clientX ?? 0, event.touches[0]?.clientY ?? 0];
    };
    const ontouchmove = (event: TouchEvent) => {
      const [finger] = event.touches;
      if (finger && Math.hypot(finger.clientX - x, finger.clientY - y) > SLIP) laid = 0;
    };
    const ontouchend = (event: TouchEvent) => {
      if (laid === 0 || event.touches.length > 1) return;
      if (event.timeStamp - laid < TAP && rotate(1)) event.preventDefault();
      laid = 0;
    };

    board.addEventListener('wheel', onwheel, { passive: false });
    board.addEventListener('touchstart', ontouchstart, { passive: true });
    board.addEventListener('touchmove', ontouchmove, { passive: true });
    board.addEventListener('touchend', ontouchend, { passive: false });
    return () => {
      board.removeEventListener('wheel', onwheel);
      board.removeEventListener('touchstart', ontouchstart);
      board.removeEventListener('touchmove', ontouchmove);
      board.removeEventListener('touchend', ontouchend);
    };
  };
}
