/** The tree of an analysis: the main line, variations, comments and marks. */
import type { LogEntry, GameSummary } from '../api/types';
import { logEntry } from '../core/log';
import type {
  CoreEntry,
  CorePosition,
  CoreRecord,
  Place,
  RecordStep,
  RecordTags,
  RecordText,
} from '../core/types';

/** Marks of an action, the best first. */
export const MARKS = ['!!', '!', '!?', '?!', '?', '??'] as const;
export type Mark = (typeof MARKS)[number] | '';

let nodes = 0;

/** A position: the first one, or the one after an action. */
export class TreeNode {
  comment = $state('');
  mark: Mark = $state('');
  /** The positions after it; the first continues the main line. */
  children: TreeNode[] = $state.raw([]);
  /** The action that leads here; null: the first position. */
  readonly entry: LogEntry | null;
  readonly id: number;

  constructor(
    readonly parent: TreeNode | null = null,
    played: CoreEntry | null = null,
  ) {
    nodes += 1;
    this.id = nodes;
    this.entry = played && logEntry(played, nodes);
  }

  /** The nodes from the first action to this one. */
  get path(): TreeNode[] {
    const path: TreeNode[] = this.parent ? [this] : [];
    for (let { parent } = this; parent?.parent; { parent } = parent) path.push(parent);
    return path.reverse();
  }

  get log(): LogEntry[] {
    return this.path.flatMap(({ entry }) => entry ?? []);
  }

  get line(): string[] {
    return this.log.map(({ token }) => token);
  }

  /** The nodes after it along the first children. */
  get rest(): TreeNode[] {
    const rest: TreeNode[] = [];
    for (let [next] = this.children; next; [next] = next.children) rest.push(next);
    return rest;
  }

  /** Whether it is on the main line of the tree. */
  get main(): boolean {
    return this.parent === null || (this.parent.children[0] === this && this.parent.main);
  }

  child(token: string): TreeNode | undefined {
    return this.children.find(({ entry }) => entry?.token === token);
  }

  /** Adds an action; after the existing ones. */
  add(played: CoreEntry): TreeNode {
    const node = new TreeNode(this, played);
    this.children = [...this.children, node];
    return node;
  }

  /** Removes it with everything after it. Returns a function that puts it back in its place. */
  remove(): () => void {
    const { parent } = this;
    const index = parent?.children.indexOf(this) ?? -1;
    if (!parent || index < 0) return () => undefined;
    parent.children = parent.children.toSpliced(index, 1);
    return () => {
      parent.children = parent.children.toSpliced(index, 0, this);
    };
  }

  /** Makes the line to this node the main line. */
  promote(): void {
    const { parent } = this;
    if (!parent) return;
    parent.children = [this, ...parent.children.filter((one) => one !== this)];
    parent.promote();
  }

  setComment(text: string): void {
    // Braces enclose comments in records.
    this.comment = text.replaceAll('{', '(').replaceAll('}', ')');
  }
}

/** A position of the tree with what is needed to show it. */
export interface Shown {
  node: TreeNode;
  place: Place;
  position: CorePosition;
}

export interface AnalysisTree {
  game: string;
  options: Record<string, string>;
  /** The text of the first position; null: the start of the game. */
  position: string | null;
  /** The tags of an imported record. */
  tags: RecordTags;
  root: TreeNode;
}

export function newTree(
  game: GameSummary,
  options: Record<string, string>,
  position: string | null = null,
): AnalysisTree {
  const all = game.options.map(({ name, values }) => [name, options[name] ?? String(values[0])]);
  return { game: game.name, options: Object.fromEntries(all), position, tags: [], root: new TreeNode() };
}

export const placeOf = ({ game, options, position }: AnalysisTree, node: TreeNode): Place => ({
  game,
  options,
  position,
  line: node.line,
});

/** Makes the main line of another tree of the same game the main line. Returns whether anything changed. */
export function setMainLine(to: AnalysisTree, from: AnalysisTree): boolean {
  let end = to.root;
  let grown = false;
  for (const { entry } of from.root.rest) {
    if (!entry) break;
    const known = end.child(entry.token);
    grown ||= known === undefined;
    end = known ?? end.add(entry);
  }
  const changed = grown || !end.main;
  end.promote();
  return changed;
}

/** The node at the end of a path of child indices, as far as it leads. */
export function nodeAt({ root }: AnalysisTree, path: readonly number[]): TreeNode {
  let node = root;
  for (const index of path) {
    const next = node.children[index];
    if (!next) break;
    node = next;
  }
  return node;
}

/** The path to a node as indices of children. */
export const pathOf = (node: TreeNode): number[] =>
  node.path.map((one) => one.parent?.children.indexOf(one) ?? 0);

const MARK = /^(!!|!\?|\?!|\?\?|!|\?)(?:\s+|$)/;

/** Splits the comments of a record on an action into its mark and a text. */
export function splitComments([first = '', ...others]: readonly string[]): { mark: Mark; comment: string } {
  const [begin, mark = ''] = MARK.exec(first) ?? [''];
  const comment = [first.slice(begin.length), ...others].filter(Boolean).join('\n');
  return { mark: mark as Mark, comment };
}

/** The tree of a record that was read; null if there is no game in it. */
export function treeOf(read: CoreRecord): AnalysisTree | null {
  if (read.game === undefined) return null;
  const root = new TreeNode();
  root.comment = (read.comments ?? []).join('\n');
  const added: TreeNode[] = [];
  for (const { parent, comments, ...played } of read.nodes) {
    const before = parent === null ? root : (added[parent] ?? root);
    added.push(Object.assign(before.add(played), splitComments(comments)));
  }
  return {
    game: read.game,
    options: read.options ?? {},
    position: read.position ?? null,
    tags: read.tags ?? [],
    root,
  };
}

/** Tags that the tree itself gives, or that no longer hold after changes. */
const OWN_TAGS = ['Game', 'Options', 'Rules', 'Position', 'Result'];

/** The record of a tree. */
export function recordOf(tree: AnalysisTree, rules: string): RecordText {
  const { rules_version, ...options } = tree.options;
  const written = Object.entries(options).map((pair) => pair.join('='));
  const tags: [string, string][] = [
    ['Game', tree.game],
    ...(written.length > 0 ? [['Options', written.join(' ')] as [string, string]] : []),
    ['Rules', rules_version ?? rules],
    ...tree.tags.filter(([name]) => !OWN_TAGS.includes(name)),
    ...(tree.position === null ? [] : [['Position', tree.position] as [string, string]]),
  ];
  return { tags, comments: [tree.root.comment].filter(Boolean), line: steps(tree.root) };
}

function steps(from: TreeNode): RecordStep[] {
  const [next, ...others] = from.children;
  if (!next) return [];
  const variations = others.map((node) => ({ comments: [], line: [step(node, []), ...steps(node)] }));
  return [step(next, variations), ...steps(next)];
}

function step(node: TreeNode, variations: RecordStep['variations']): RecordStep {
  const comments = [node.mark, node.comment].filter(Boolean);
  return { token: node.entry?.token ?? '', comments, variations };
}
