/** Animations of the elements that carry a piece. */
import type { Attachment } from 'svelte/attachments';
import type { Slant } from './geometry';
import type { Motion } from './motion';
import type { Piece } from '../api/view';

/** The height of a lifted piece between two cells, in hundredths of a cell. */
const HOP = 22;

/** Animates the element it is attached to; the element is at the final place of the piece. */
export function animateMotion(
  motion: Motion | { kind: 'turned' } | undefined,
  piece: Piece,
  slant: Slant,
  duration: number,
): Attachment<Element> {
  return (element) => {
    if (!motion || duration === 0) return;
    const animation = element.animate(keyframes(motion, piece, slant), {
      duration,
      easing: easing(motion),
      fill: 'both',
    });
    return () => animation.cancel();
  };
}

function easing(motion: Motion | { kind: 'turned' }): string {
  if (motion.kind === 'travel') return 'cubic-bezier(0.4, 0, 0.25, 1)';
  // Fast at first, then slower.
  if (motion.kind === 'rotate' && motion.spins) return 'cubic-bezier(0.15, 0.65, 0.2, 1)';
  return 'ease-out';
}

/** Fades in a new cell. */
export function fadeIn(duration: number): Attachment<Element> {
  return (element) => {
    if (duration === 0) return;
    const animation = element.animate(
      [
        { opacity: 0, transform: 'translate(0px, -18px) scale(1.06)' },
        { opacity: 1, transform: 'none' },
      ],
      { duration, easing: 'ease-out', fill: 'both' },
    );
    return () => animation.cancel();
  };
}

function keyframes(motion: Motion | { kind: 'turned' }, piece: Piece, slant: Slant): Keyframe[] {
  switch (motion.kind) {
    case 'arrive':
      return [
        { opacity: 0, transform: 'translate(0px, -20px)' },
        { opacity: 1, transform: 'none' },
      ];
    case 'leave':
      return [
        { opacity: 1, transform: 'none' },
        { opacity: 0, transform: 'translate(0px, -14px)' },
      ];
    case 'turn':
      return [
        { opacity: 0, transform: 'scaleX(0)' },
        { opacity: 0, transform: 'scaleX(0)', offset: 0.5 },
        { opacity: 1, transform: 'scaleX(0.1)', offset: 0.5 },
        { opacity: 1, transform: 'none' },
      ];
    case 'turned':
      return [
        { opacity: 1, transform: 'none' },
        { opacity: 1, transform: 'scaleX(0.1)', offset: 0.5 },
        { opacity: 0, transform: 'scaleX(0)', offset: 0.5 },
        { opacity: 0, transform: 'scaleX(0)' },
      ];
    case 'rotate':
      return [{ transform: `rotate(${-motion.by}deg)` }, { transform: 'rotate(0deg)' }];
    case 'travel': {
      const end = motion.path.at(-1);
      if (!end) return [];
      const last = motion.path.length - 1;
      const [from = piece.level, to = piece.level] = motion.levels;
      const frames: Keyframe[] = [];
      motion.path.forEach((point, number) => {
        const before = motion.path[number - 1];
        const level = number === last ? to : number === 0 ? from : Math.max(from, to);
        const y = point.y - end.y - slant.lift * (level - piece.level);
        if (before && !motion.slides && Math.hypot(before.x - point.x, before.y - point.y) > 1) {
          const high = slant.lift * (Math.max(from, to) - piece.level) + HOP;
          const middle = (before.y + point.y) / 2 - end.y - high;
          frames.push(frame((before.x + point.x) / 2 - end.x, middle, (number - 0.5) / last, motion.turn));
        }
        frames.push(frame(point.x - end.x, y, last === 0 ? 0 : number / last, motion.turn));
      });
      return frames;
    }
  }
}

/** `turn`: the total rotation of the piece. */
const frame = (x: number, y: number, offset: number, turn: number): Keyframe => ({
  transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) rotate(${(turn * (offset - 1)).toFixed(1)}deg)`,
  offset,
});
