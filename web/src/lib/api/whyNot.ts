/** The answer to "Why not this?". */
export type { ReplyReason, Step, WhyNot as WhyNotAnswer } from './server';
