//! The nodes of the tree and their children.
//!
//! A game may have hundreds of actions, of which a search visits a few. So the children come into being in blocks, the
//! most promising block first. A child without visits is no more than an index, and its place follows from its prior,
//! or from a seed where there is no prior.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use tavola_core::random::mix;

use crate::value::{Proof, ProofCell, WHOLE};

/// One action or chance outcome with its statistics.
#[derive(Debug)]
pub(crate) struct Node<A> {
    /// The action that leads here. The root has none.
    action: Option<A>,
    visits: AtomicU32,
    /// The bits of 1 / sqrt(visits), computed at each visit and not at each selection. Before the first visit, and always in
    /// a search with an evaluator: the prior, or NaN without a prior.
    weight: AtomicU32,
    proof: ProofCell,
    /// The share of the seat to act by the evaluator, of [`WHOLE`].
    worth: AtomicU16,
    sum: AtomicU64,
    children: OnceLock<Children<A>>,
}

impl<A: Copy> Node<A> {
    pub(crate) fn new(action: Option<A>, prior: f32) -> Self {
        Self {
            action,
            visits: AtomicU32::new(0),
            weight: AtomicU32::new(prior.to_bits()),
            proof: ProofCell::default(),
            worth: AtomicU16::new(0),
            sum: AtomicU64::new(0),
            children: OnceLock::new(),
        }
    }

    /// The action that leads here; not for the root.
    pub(crate) fn action(&self) -> A {
        self.action.expect("a child has its action")
    }

    /// The number of simulations through this node, including those in progress.
    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// The sum of the shares of the seat that chose this action.
    ///
    /// A simulation in progress counts as a visit without a share (virtual loss), so that other threads choose other
    /// actions.
    #[inline]
    pub(crate) fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }

    /// The expected share before the first visit, or the probability by the evaluator; NaN if it is unknown.
    #[inline]
    pub(crate) fn prior(&self) -> f32 {
        f32::from_bits(self.weight.load(Ordering::Relaxed))
    }

    /// The upper confidence bound: the mean share from 0 to 1 plus `curiosity` / sqrt(visits). There must be visits.
    #[inline]
    pub(crate) fn score(&self, curiosity: f32) -> f32 {
        let weight = f32::from_bits(self.weight.load(Ordering::Relaxed));
        (self.sum() as i64 as f32 * (1.0 / WHOLE as f32) * weight + curiosity) * weight
    }

    /// The proven result; `None` if there is none.
    #[inline]
    pub(crate) fn proof(&self) -> Option<Proof> {
        self.proof.get()
    }

    pub(crate) fn prove(&self, proof: Proof) {
        self.proof.set(proof);
    }

    /// Adds visits on the way down; returns the visits before.
    #[inline]
    pub(crate) fn enter(&self, simulations: u32) -> u32 {
        let before = self.visits.fetch_add(simulations, Ordering::Relaxed);
        let weight = 1.0 / ((before + simulations) as f32).sqrt();
        self.weight.store(weight.to_bits(), Ordering::Relaxed);
        before
    }

    /// Adds a visit on the way down as [`enter`](Self::enter) does, and keeps the prior.
    #[inline]
    pub(crate) fn enter_with_prior(&self) -> u32 {
        self.visits.fetch_add(1, Ordering::Relaxed)
    }

    /// The share of the seat to act by the evaluator, of [`WHOLE`].
    #[inline]
    pub(crate) fn worth(&self) -> u64 {
        self.worth.load(Ordering::Relaxed).into()
    }

    pub(crate) fn set_worth(&self, share: u32) {
        self.worth.store(share as u16, Ordering::Relaxed);
    }

    /// Adds the share of the seat that chose this action.
    #[inline]
    pub(crate) fn leave(&self, share: u64) {
        self.sum.fetch_add(share, Ordering::Relaxed);
    }

    /// Subtracts visits that did not take place, and replaces the expected sum of shares by the actual one.
    pub(crate) fn correct(&self, missing: u32, expected: u64, actual: u64) {
        self.visits.fetch_sub(missing, Ordering::Relaxed);
        self.sum.fetch_add(actual.wrapping_sub(expected), Ordering::Relaxed);
    }

    /// The children; `None` before the expansion.
    #[inline]
    pub(crate) fn children(&self) -> Option<&Children<A>> {
        self.children.get()
    }

    pub(crate) fn children_mut(&mut self) -> Option<&mut Children<A>> {
        self.children.get_mut()
    }

    /// Expands the node. If another thread was faster, these children are dropped.
    pub(crate) fn set_children(&self, children: Children<A>) {
        let _ = self.children.set(children);
    }

    /// Takes the children, to free or to move them.
    pub(crate) fn take_children(&mut self) -> Option<Children<A>> {
        self.children.take()
    }

    /// Takes the children and the visits of another node, and its share by the evaluator.
    pub(crate) fn take_children_of(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.children, &mut other.children);
        self.visits = AtomicU32::new(other.visits());
        std::mem::swap(&mut self.worth, &mut other.worth);
    }
}

/// The number of children after each block but the last, which contains the rest.
const BOUNDS: [usize; 4] = [8, 32, 128, 512];

/// The children of a node.
#[derive(Debug)]
pub(crate) struct Children<A> {
    first: Box<[Node<A>]>,
    more: Option<Box<More<A>>>,
}

/// The blocks after the first. A search opens one after all children of the earlier blocks have visits.
#[derive(Debug)]
struct More<A> {
    /// The number of all children.
    len: u32,
    /// The seed of the order.
    seed: u32,
    parts: [OnceLock<Box<[Node<A>]>>; BOUNDS.len()],
}

impl<A: Copy> Children<A> {
    /// The size of the first block.
    pub(crate) fn first(len: usize) -> usize {
        len.min(BOUNDS[0])
    }

    /// Creates the first block of children for these actions, with a prior for each or without any. The seed determines the
    /// order.
    pub(crate) fn new(actions: &[A], action_values: &[f32], seed: u32) -> Self {
        let len = actions.len();
        let first = arrange(actions, action_values, seed, 0, Self::first(len));
        let more = (len > first.len()).then(|| Box::new(More { len: len as u32, seed, parts: Default::default() }));
        Self { first, more }
    }

    /// Creates all children at once, in the order of the actions.
    pub(crate) fn all(actions: &[A]) -> Self {
        Self { first: actions.iter().map(|&action| Node::new(Some(action), f32::NAN)).collect(), more: None }
    }

    /// The children of all open blocks.
    pub(crate) fn opened(&self) -> impl Iterator<Item = &Node<A>> {
        let parts = self.more.iter().flat_map(|more| more.parts.iter().map_while(OnceLock::get));
        self.first.iter().chain(parts.flatten())
    }

    /// One of the children of all open blocks.
    pub(crate) fn get(&self, place: usize) -> &Node<A> {
        self.first.get(place).or_else(|| self.opened().nth(place)).expect("a place is one of a child that is there")
    }

    pub(crate) fn opened_mut(&mut self) -> impl Iterator<Item = &mut Node<A>> {
        let parts = self.more.iter_mut().flat_map(|more| more.parts.iter_mut().map_while(OnceLock::get_mut));
        self.first.iter_mut().chain(parts.flat_map(|part| part.iter_mut()))
    }

    pub(crate) fn get_mut(&mut self, place: usize) -> &mut Node<A> {
        self.opened_mut().nth(place).expect("a place is one of a child that is there")
    }

    /// A block of children; `None` if it is not open.
    #[inline]
    pub(crate) fn part(&self, number: usize) -> Option<&[Node<A>]> {
        match number {
            0 => Some(&self.first),
            _ => self.more.as_ref()?.parts.get(number - 1)?.get().map(|part| &**part),
        }
    }

    /// The first and the end index of a block; `None` if there is no such block.
    pub(crate) fn place_of(&self, number: usize) -> Option<(usize, usize)> {
        let len = self.more.as_ref()?.len as usize;
        let begin = *BOUNDS.get(number.checked_sub(1)?)?;
        let end = BOUNDS.get(number).map_or(len, |&end| end.min(len));
        (begin < end).then_some((begin, end))
    }

    /// Creates a block from the same actions and values as the first one.
    pub(crate) fn open(&self, number: usize, actions: &[A], action_values: &[f32]) -> &[Node<A>] {
        let more = self.more.as_ref().expect("there is more to open");
        let (begin, end) = self.place_of(number).expect("the part exists");
        more.parts[number - 1].get_or_init(|| arrange(actions, action_values, more.seed, begin, end))
    }

    /// The number of children, open or not.
    pub(crate) fn len(&self) -> usize {
        self.more.as_ref().map_or(self.first.len(), |more| more.len as usize)
    }

    /// The size of the open blocks in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let more = self.more.as_ref().map_or(0, |more| size_of_val(&**more));
        (more + self.opened().count() * size_of::<Node<A>>()) as u64
    }

    /// The size of `len` open children in bytes.
    pub(crate) fn bytes_of(len: usize) -> u64 {
        (len * size_of::<Node<A>>()) as u64
    }

    /// The size in bytes of the first block of `len` children.
    pub(crate) fn bytes_of_first(len: usize) -> u64 {
        let first = Self::first(len);
        (first * size_of::<Node<A>>() + if len > first { size_of::<More<A>>() } else { 0 }) as u64
    }
}

/// The nodes of the children from one index of their order to another.
fn arrange<A: Copy>(actions: &[A], action_values: &[f32], seed: u32, begin: usize, end: usize) -> Box<[Node<A>]> {
    if action_values.is_empty() {
        // Starts at a random child and continues in steps of a prime number that does not divide their number.
        let len = actions.len() as u32;
        let random = mix(u64::from(seed));
        let prime = PRIMES[(random >> 32) as usize % PRIMES.len()];
        let step = if len.is_multiple_of(prime) { 1 } else { prime % len };
        let mut at = (((random & 0xFFFF) + begin as u64 * u64::from(step)) % u64::from(len)) as u32;
        let node = |_| {
            let action = actions[at as usize];
            at += step;
            at -= if at < len { 0 } else { len };
            Node::new(Some(action), f32::NAN)
        };
        return (begin..end).map(node).collect();
    }
    // The higher value comes first, equal ones in random order.
    let key = |(place, &prior): (usize, &f32)| {
        let random = mix(u64::from(seed) ^ (place as u64) << 32) as u16;
        (!ordered(prior), random, place as u32)
    };
    let mut order: Vec<(u32, u16, u32)> = action_values.iter().enumerate().map(key).collect();
    if end < order.len() {
        order.select_nth_unstable(end);
    }
    order[..end].sort_unstable();
    let node =
        |&(_, _, place): &(u32, u16, u32)| Node::new(Some(actions[place as usize]), action_values[place as usize]);
    order[begin..end].iter().map(node).collect()
}

/// Prime numbers that are larger than the number of actions of any position.
const PRIMES: [u32; 8] = [104_729, 105_359, 106_033, 106_703, 107_377, 108_041, 108_803, 109_481];

/// Maps floats to integers of the same order.
fn ordered(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_one_child_whatever_the_order() {
        for len in [1, 2, 7, 8, 9, 32, 33, 127, 500, 513, 1000] {
            let actions: Vec<u16> = (0..len).collect();
            let action_values: Vec<f32> = actions.iter().map(|&action| f32::from(action * 7 % 5) - 2.0).collect();
            for action_values in [&[][..], &action_values] {
                for seed in 0..20 {
                    let children = Children::new(&actions, action_values, seed);
                    assert_eq!(children.bytes(), Children::<u16>::bytes_of_first(actions.len()));
                    let mut part = 1;
                    while children.place_of(part).is_some() {
                        children.open(part, &actions, action_values);
                        part += 1;
                    }
                    assert_eq!(children.len(), actions.len());
                    let opened: Vec<_> = children.opened().collect();
                    if !action_values.is_empty() {
                        assert!(opened.is_sorted_by(|a, b| a.prior() >= b.prior()), "{len} {seed}");
                    }
                    let mut found: Vec<u16> = opened.iter().map(|node| node.action()).collect();
                    for (place, &action) in found.iter().enumerate() {
                        assert_eq!(children.get(place).action(), action);
                    }
                    found.sort_unstable();
                    assert_eq!(found, actions, "{seed}");
                }
            }
        }
    }

    #[test]
    fn what_is_unknown_comes_in_random_order() {
        let actions: Vec<u16> = (0..100).collect();
        let mut first = [0; 100];
        for seed in 0..10_000 {
            for child in Children::new(&actions, &[], seed).opened() {
                first[usize::from(child.action())] += 1;
            }
        }
        assert!(first.iter().all(|count| (650..950).contains(count)), "{first:?}");
    }
}
