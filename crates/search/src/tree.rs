//! The nodes, in an arena that threads share.
//!
//! The arena is a row of chunks that are made when they are first needed and never move. The children of a node
//! lie side by side in one chunk. A node is published by the store of its parent's range of children: whoever
//! reads the range sees the children complete.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use crate::shares::{Proof, ProofCell};

/// One action (or chance outcome) and what is known of it.
#[derive(Debug)]
pub(crate) struct Node<A> {
    action: OnceLock<A>,
    visits: AtomicU32,
    proof: ProofCell,
    children: AtomicU64,
    sum: AtomicU64,
}

/// The children's range packed as first place and, in the upper half, length; or one of two states before it.
const NO_CHILDREN: u64 = 0;
const GROWING: u64 = 1;

impl<A: Copy> Node<A> {
    fn new() -> Self {
        Self {
            action: OnceLock::new(),
            visits: AtomicU32::new(0),
            proof: ProofCell::default(),
            children: AtomicU64::new(NO_CHILDREN),
            sum: AtomicU64::new(0),
        }
    }

    /// The action that leads here. The root has none, and nobody asks it.
    pub(crate) fn action(&self) -> A {
        *self.action.get().expect("a published node has its action")
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

    /// The result, if it is certain.
    pub(crate) fn proof(&self) -> Option<Proof> {
        self.proof.get()
    }

    pub(crate) fn prove(&self, proof: Proof) {
        self.proof.set(proof);
    }

    /// Counts a simulation on its way down; the visits before it.
    pub(crate) fn enter(&self) -> u32 {
        self.visits.fetch_add(1, Ordering::Relaxed)
    }

    /// Adds what the seat that chose this action got.
    pub(crate) fn leave(&self, share: u32) {
        self.sum.fetch_add(u64::from(share), Ordering::Relaxed);
    }
}

type Chunk<A> = Box<[Node<A>]>;

/// A search tree that threads share.
#[derive(Debug)]
pub(crate) struct Tree<A> {
    chunks: Box<[OnceLock<Chunk<A>>]>,
    capacity: u32,
    used: AtomicU32,
    full: AtomicBool,
}

const CHUNK_BITS: u32 = 15;
const CHUNK: u32 = 1 << CHUNK_BITS;
const ROOT: u32 = 0;

impl<A: Copy> Tree<A> {
    /// A tree of one node, the root, that may grow to so many nodes, rounded up to whole chunks.
    pub(crate) fn new(capacity: u32) -> Self {
        let chunks = capacity.div_ceil(CHUNK).clamp(1, u32::MAX >> CHUNK_BITS);
        Self {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            capacity: chunks << CHUNK_BITS,
            used: AtomicU32::new(1),
            full: AtomicBool::new(false),
        }
    }

    pub(crate) fn root(&self) -> &Node<A> {
        &self.chunk(ROOT)[0]
    }

    /// The children of a node, if it has been expanded.
    pub(crate) fn children(&self, node: &Node<A>) -> Option<&[Node<A>]> {
        match node.children.load(Ordering::Acquire) {
            NO_CHILDREN | GROWING => None,
            range => {
                let (first, len) = (range as u32, (range >> 32) as usize);
                let start = (first % CHUNK) as usize;
                Some(&self.chunk(first)[start..start + len])
            }
        }
    }

    /// Gives a node its children, one per action.
    ///
    /// `None` if another thread is about to, or has just done it, or there is no room.
    pub(crate) fn grow(&self, node: &Node<A>, actions: &[A]) -> Option<&[Node<A>]> {
        node.children.compare_exchange(NO_CHILDREN, GROWING, Ordering::Relaxed, Ordering::Relaxed).ok()?;
        let len = actions.len() as u32;
        let Some(first) = self.reserve(len) else {
            node.children.store(NO_CHILDREN, Ordering::Relaxed);
            return None;
        };
        let start = (first % CHUNK) as usize;
        let children = &self.chunk(first)[start..start + len as usize];
        for (child, &action) in children.iter().zip(actions) {
            child.action.get_or_init(|| action);
        }
        node.children.store(u64::from(first) | u64::from(len) << 32, Ordering::Release);
        Some(children)
    }

    /// How many nodes there are, those included that were left over at the ends of chunks.
    pub(crate) fn size(&self) -> u32 {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether some node could not be expanded for want of room.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    fn chunk(&self, place: u32) -> &[Node<A>] {
        self.chunks[(place >> CHUNK_BITS) as usize].get_or_init(|| (0..CHUNK).map(|_| Node::new()).collect())
    }

    /// Places for so many nodes in one chunk; `None`, and full for good, if there is no room.
    fn reserve(&self, len: u32) -> Option<u32> {
        let mut used = self.used.load(Ordering::Relaxed);
        loop {
            let left = CHUNK - used % CHUNK;
            let first = if left >= len { used } else { used + left };
            let fits = len <= CHUNK && first.checked_add(len).is_some_and(|end| end <= self.capacity);
            if self.is_full() || !fits {
                self.full.store(true, Ordering::Relaxed);
                return None;
            }
            match self.used.compare_exchange_weak(used, first + len, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(first),
                Err(now) => used = now,
            }
        }
    }
}
