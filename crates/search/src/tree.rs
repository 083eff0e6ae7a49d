//! The nodes, which threads share.
//!
//! The children of a node lie side by side and are published all at once, complete: whoever sees them may go on.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use crate::shares::{Proof, ProofCell, WHOLE};

/// One action (or chance outcome) and what is known of it.
#[derive(Debug)]
pub(crate) struct Node<A> {
    /// The action that leads here. The root has none.
    action: Option<A>,
    /// What its seat expects of it before it is visited; not a number if it is to be visited first of all.
    promise: f32,
    visits: AtomicU32,
    /// One over the root of the visits, as bits: reckoned at each visit and not at each look.
    weight: AtomicU32,
    sum: AtomicU64,
    proof: ProofCell,
    children: OnceLock<Box<[Node<A>]>>,
}

impl<A: Copy> Node<A> {
    fn new(action: Option<A>, promise: f32) -> Self {
        Self {
            action,
            promise,
            visits: AtomicU32::new(0),
            weight: AtomicU32::new(0),
            sum: AtomicU64::new(0),
            proof: ProofCell::default(),
            children: OnceLock::new(),
        }
    }

    /// The action that leads here; nobody asks the root.
    pub(crate) fn action(&self) -> A {
        self.action.expect("a child has its action")
    }

    /// How often simulations have come by, those on their way included.
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// The sum of the shares of the seat that chose this action.
    ///
    /// A simulation that is still on its way counts as a visit without a share: other threads see a loss there and
    /// look elsewhere.
    pub(crate) fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }

    /// What its seat expects of it before it is visited; not a number if nobody knows.
    #[inline]
    pub(crate) fn promise(&self) -> f32 {
        self.promise
    }

    /// The mean share from 0 to 1, and so much curiosity over the root of the visits; there must have been some.
    #[inline]
    pub(crate) fn score(&self, curiosity: f32) -> f32 {
        let weight = f32::from_bits(self.weight.load(Ordering::Relaxed));
        (self.sum() as i64 as f32 * (1.0 / WHOLE as f32) * weight + curiosity) * weight
    }

    /// The result, if it is certain.
    #[inline]
    pub(crate) fn proof(&self) -> Option<Proof> {
        self.proof.get()
    }

    pub(crate) fn prove(&self, proof: Proof) {
        self.proof.set(proof);
    }

    /// Counts a simulation on its way down; the visits before it.
    pub(crate) fn enter(&self) -> u32 {
        let before = self.visits.fetch_add(1, Ordering::Relaxed);
        let weight = 1.0 / ((before + 1) as f32).sqrt();
        self.weight.store(weight.to_bits(), Ordering::Relaxed);
        before
    }

    /// Adds what the seat that chose this action got.
    pub(crate) fn leave(&self, share: u32) {
        self.sum.fetch_add(u64::from(share), Ordering::Relaxed);
    }

    /// The children, if it has been expanded.
    #[inline]
    pub(crate) fn children(&self) -> Option<&[Self]> {
        self.children.get().map(|children| &**children)
    }
}

/// A search tree that threads share.
#[derive(Debug)]
pub(crate) struct Tree<A: Copy + Send + Sync + 'static> {
    root: Node<A>,
    /// How many nodes there may be.
    capacity: u64,
    used: AtomicU64,
    full: AtomicBool,
}

impl<A: Copy + Send + Sync + 'static> Tree<A> {
    /// The bytes of a node.
    const NODE: u64 = size_of::<Node<A>>() as u64;

    /// A tree of one node, the root.
    pub(crate) fn new() -> Self {
        Self { root: Node::new(None, f32::NAN), capacity: 0, used: AtomicU64::new(1), full: AtomicBool::new(false) }
    }

    /// Lets it grow to so many bytes.
    pub(crate) fn make_room(&mut self, memory: u64) {
        self.capacity = memory / Self::NODE;
        self.full = AtomicBool::new(false);
    }

    /// The part of the tree below a node, which becomes the root; the places of the children lead there. The root's own
    /// proof is left behind: it is worth what its children prove.
    pub(crate) fn below(mut self, path: &[usize]) -> Self {
        let mut tree = Self::new();
        let mut node = &mut self.root;
        for &place in path {
            node = &mut node.children.get_mut().expect("a path goes along children")[place];
        }
        std::mem::swap(&mut tree.root.visits, &mut node.visits);
        std::mem::swap(&mut tree.root.children, &mut node.children);
        let below = count(&tree.root);
        tree.used = AtomicU64::new(below);
        tree
    }

    pub(crate) fn root(&self) -> &Node<A> {
        &self.root
    }

    /// Gives a node its children, one per action, with what is promised of each, if that is known.
    ///
    /// `None` if there is no room; but for the root there always is.
    pub(crate) fn grow<'a>(&'a self, node: &'a Node<A>, actions: &[A], promises: &[f32]) -> Option<&'a [Node<A>]> {
        if self.is_full() {
            return None;
        }
        let len = actions.len() as u64;
        let used = self.used.fetch_add(len, Ordering::Relaxed);
        if used + len > self.capacity && !std::ptr::eq(node, &raw const self.root) {
            self.used.fetch_sub(len, Ordering::Relaxed);
            self.full.store(true, Ordering::Relaxed);
            return None;
        }
        // If another thread was faster, these are thrown away.
        let promises = promises.iter().copied().chain(std::iter::repeat(f32::NAN));
        let children =
            actions.iter().zip(promises).map(|(&action, promise)| Node::new(Some(action), promise)).collect();
        if node.children.set(children).is_err() {
            self.used.fetch_sub(len, Ordering::Relaxed);
        }
        node.children()
    }

    /// How many nodes there are.
    pub(crate) fn size(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> u64 {
        self.size() * Self::NODE
    }

    /// Whether some node could not be expanded for want of room.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }
}

/// How many nodes there are from one on.
fn count<A: Copy>(node: &Node<A>) -> u64 {
    let mut nodes = 1;
    let mut families: Vec<_> = node.children().into_iter().collect();
    while let Some(family) = families.pop() {
        nodes += family.len() as u64;
        families.extend(family.iter().filter_map(Node::children));
    }
    nodes
}

/// To free more nodes than this takes longer than to start a thread that does.
const FREED_AT_ONCE: u64 = 20_000;

impl<A: Copy + Send + Sync + 'static> Drop for Tree<A> {
    /// To free a large tree takes tens of milliseconds, and nobody should wait for it. Where there can be no thread, it
    /// is freed here.
    fn drop(&mut self) {
        let Some(children) = self.root.children.take() else { return };
        if self.size() > FREED_AT_ONCE {
            let _ = std::thread::Builder::new().spawn(move || free(children));
        } else {
            free(children);
        }
    }
}

/// Frees nodes, one family after the other: a tree may be deeper than the stack.
fn free<A: Copy>(children: Box<[Node<A>]>) {
    let mut families = vec![children];
    while let Some(mut family) = families.pop() {
        families.extend(family.iter_mut().filter_map(|node| node.children.take()));
    }
}
