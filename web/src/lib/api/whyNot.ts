/** The answer to "Why not this?". */
export type { ReplyReason, DescribedAction, WhyNot as WhyNotAnswer } from './server';
