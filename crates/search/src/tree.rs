//! The search tree, which threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::node::Children;
use crate::node::Node;

/// A search tree that threads share.
#[derive(Debug)]
pub(crate) struct Tree<A: Copy + Send + Sync + 'static> {
    root: Node<A>,
    /// The memory limit in bytes.
    memory: u64,
    bytes: AtomicU64,
    nodes: AtomicU64,
    full: AtomicBool,
}

/// Memory that one thread has reserved, so that threads do not contend at every new node.
#[derive(Debug, Default)]
pub(crate) struct Room {
    bytes: u64,
    nodes: u64,
    /// Whether the limit does not apply: for the root.
    always: bool,
}

impl Room {
    /// Unlimited, for the root, which always gets its children.
    pub(crate) fn without_limit() -> Self {
        Self { always: true, ..Self::default() }
    }

    fn take(&mut self, nodes: usize, bytes: u64) {
        self.nodes += nodes as u64;
        self.bytes -= bytes;
    }
}

/// The number of bytes that a thread reserves at a time.
const ROOM: u64 = 1 << 16;

impl<A: Copy + Send + Sync + 'static> Tree<A> {
    /// A tree of one node, the root.
    pub(crate) fn new() -> Self {
        Self {
            root: Node::new(None, f32::NAN),
            memory: 0,
            bytes: AtomicU64::new(0),
            nodes: AtomicU64::new(1),
            full: AtomicBool::new(false),
        }
    }

    /// Sets the memory limit in bytes.
    pub(crate) fn make_room(&mut self, memory: u64) {
        self.memory = memory;
        self.full = AtomicBool::new(false);
    }

    pub(crate) fn root(&self) -> &Node<A> {
        &self.root
    }

    /// The part of the tree below a node, which becomes the root. The path consists of indices of children. The new root
    /// has no proof of its own: it follows from its children.
    pub(crate) fn below(mut self, path: &[usize]) -> Self {
        let mut node = &mut self.root;
        for &place in path {
            node = node.children_mut().expect("a path goes along children").get_mut(place);
        }
        let mut tree = Self::new();
        tree.root.take_children_of(node);
        let (nodes, bytes) = count(&tree.root);
        (tree.nodes, tree.bytes) = (AtomicU64::new(nodes), AtomicU64::new(bytes));
        tree
    }

    /// Expands a node with children of this size in bytes; `None` if there is no room.
    pub(crate) fn expand<'a>(
        &'a self,
        node: &'a Node<A>,
        room: &mut Room,
        bytes: u64,
        children: impl FnOnce() -> Children<A>,
    ) -> Option<&'a Children<A>> {
        if !self.has_room(room, bytes) {
            return None;
        }
        let children = children();
        room.take(children.opened().count(), bytes);
        // If another thread was faster, these children are dropped but still counted, which is rare.
        node.set_children(children);
        node.children()
    }

    /// Opens a block of a node's children; `None` if there is no room.
    pub(crate) fn open<'a>(
        &self,
        children: &'a Children<A>,
        part: usize,
        room: &mut Room,
        actions: &[A],
        action_values: &[f32],
    ) -> Option<&'a [Node<A>]> {
        let (begin, end) = children.place_of(part)?;
        let bytes = ((end - begin) * size_of::<Node<A>>()) as u64;
        if !self.has_room(room, bytes) {
            return None;
        }
        room.take(end - begin, bytes);
        Some(children.open(part, actions, action_values))
    }

    /// Reserves memory for a thread; returns whether it has enough.
    fn has_room(&self, room: &mut Room, bytes: u64) -> bool {
        if room.bytes >= bytes {
            return true;
        }
        let wanted = ROOM.max(bytes);
        let most = if room.always { u64::MAX } else { self.memory };
        let more = |used: u64| (used + bytes <= most).then(|| most.min(used + wanted));
        let Ok(before) = self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) else {
            self.full.store(true, Ordering::Relaxed);
            return false;
        };
        room.bytes += most.min(before + wanted) - before;
        true
    }

    /// Releases the unused reservation of a thread, and counts its new nodes.
    pub(crate) fn settle(&self, room: &Room) {
        self.nodes.fetch_add(room.nodes, Ordering::Relaxed);
        self.bytes.fetch_sub(room.bytes, Ordering::Relaxed);
    }

    /// The number of nodes.
    pub(crate) fn size(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The size in bytes, including reservations of threads.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether the memory limit prevented an expansion.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }
}

/// The number of nodes of a subtree, and the size of its descendants in bytes.
fn count<A: Copy>(node: &Node<A>) -> (u64, u64) {
    let (mut nodes, mut bytes) = (1, 0);
    let mut families: Vec<_> = node.children().into_iter().collect();
    while let Some(children) = families.pop() {
        nodes += children.opened().count() as u64;
        bytes += children.bytes();
        families.extend(children.opened().filter_map(Node::children));
    }
    (nodes, bytes)
}

/// A tree with more nodes is freed on a thread of its own.
const FREED_AT_ONCE: u64 = 20_000;

impl<A: Copy + Send + Sync + 'static> Drop for Tree<A> {
    /// Frees a large tree on a thread of its own, because it takes tens of milliseconds. Without a new thread, frees it
    /// here.
    fn drop(&mut self) {
        let Some(children) = self.root.take_children() else { return };
        // WebAssembly has no threads.
        if self.size() > FREED_AT_ONCE && !cfg!(target_family = "wasm") {
            let _ = std::thread::Builder::new().spawn(move || free(children));
        } else {
            free(children);
        }
    }
}

/// Frees nodes iteratively: a tree can be deeper than the stack.
fn free<A: Copy>(children: Children<A>) {
    let mut families = vec![children];
    while let Some(mut family) = families.pop() {
        families.extend(family.opened_mut().filter_map(Node::take_children));
    }
}
