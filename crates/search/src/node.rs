//! One action in the tree, and what is known of it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::children::Children;
use crate::shares::{Proof, ProofCell, WHOLE};

/// One action (or chance outcome) and what is known of it.
#[derive(Debug)]
pub(crate) struct Node<A> {
    /// The action that leads here. The root has none.
    action: Option<A>,
    visits: AtomicU32,
    /// One over the root of the visits, as bits: reckoned at each visit and not at each look. Before the first visit:
    /// what its seat expects of it; not a number if nobody knows.
    weight: AtomicU32,
    proof: ProofCell,
    sum: AtomicU64,
    children: OnceLock<Children<A>>,
}

impl<A: Copy> Node<A> {
    pub(crate) fn new(action: Option<A>, promise: f32) -> Self {
        Self {
            action,
            visits: AtomicU32::new(0),
            weight: AtomicU32::new(promise.to_bits()),
            proof: ProofCell::default(),
            sum: AtomicU64::new(0),
            children: OnceLock::new(),
        }
    }

    /// The action that leads here; nobody asks the root.
    pub(crate) fn action(&self) -> A {
        self.action.expect("a child has its action")
    }

    /// How often simulations have come by, those on their way included.
    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// The sum of the shares of the seat that chose this action.
    ///
    /// A simulation that is still on its way counts as a visit without a share: other threads see a loss there and
    /// look elsewhere.
    #[inline]
    pub(crate) fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }

    /// What its seat expects of it before it is visited; not a number if nobody knows.
    #[inline]
    pub(crate) fn promise(&self) -> f32 {
        f32::from_bits(self.weight.load(Ordering::Relaxed))
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

    /// Counts simulations on their way down; the visits before them.
    #[inline]
    pub(crate) fn enter(&self, simulations: u32) -> u32 {
        let before = self.visits.fetch_add(simulations, Ordering::Relaxed);
        let weight = 1.0 / ((before + simulations) as f32).sqrt();
        self.weight.store(weight.to_bits(), Ordering::Relaxed);
        before
    }

    /// Adds what the seat that chose this action got.
    #[inline]
    pub(crate) fn leave(&self, share: u64) {
        self.sum.fetch_add(share, Ordering::Relaxed);
    }

    /// Takes back visits that were counted and not made, and puts what they brought in the place of what was expected.
    pub(crate) fn correct(&self, missing: u32, expected: u64, brought: u64) {
        self.visits.fetch_sub(missing, Ordering::Relaxed);
        self.sum.fetch_add(brought.wrapping_sub(expected), Ordering::Relaxed);
    }

    /// The children, if it has been expanded.
    #[inline]
    pub(crate) fn children(&self) -> Option<&Children<A>> {
        self.children.get()
    }

    pub(crate) fn children_mut(&mut self) -> Option<&mut Children<A>> {
        self.children.get_mut()
    }

    /// Expands it. If another thread was faster, these are thrown away.
    pub(crate) fn give(&self, children: Children<A>) {
        let _ = self.children.set(children);
    }

    /// Takes the children, to free them or to give them to another node.
    pub(crate) fn take_children(&mut self) -> Option<Children<A>> {
        self.children.take()
    }

    /// Takes over the children of another node, and the visits that made them.
    pub(crate) fn take_over(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.children, &mut other.children);
        self.visits = AtomicU32::new(other.visits());
    }
}
