//! Drawing: the position as data, the events of an action, the reasons for rejections, the position editor.

use smol_str::SmolStr;

use crate::game::{Game, Outcome, Seat};
use crate::sketch::Sketched;
use crate::text::Text;
use crate::view::{Decisive, Event, MoveLabel, OutcomeView, Prospect, Refusal, View};

/// The view of a position, the events of an action, and the reasons why actions are illegal.
pub trait Draw: Game {
    /// The position as a seat or a spectator sees it, with the legal actions of the seat to act.
    ///
    /// The view contains only public information and what the viewer knows.
    fn view(&self, state: &Self::State, viewer: Option<Seat>) -> View;

    /// Whether this state has no hidden information, so that all viewers can share one view. Views may still differ in
    /// their orientation.
    fn is_public(&self, _state: &Self::State) -> bool {
        false
    }

    /// The events of a legal action in this state.
    fn events(&self, state: &Self::State, action: Self::Action) -> Vec<Event>;

    /// The reason why an action is illegal in this state; `None` if it is legal.
    fn refusal(&self, state: &Self::State, action: Self::Action) -> Option<Refusal>;

    /// The reason why no legal action begins with these cells in order, with this rotation of the piece in hand (`None`
    /// for any); `None` if some legal action does.
    fn touch_refusal(&self, state: &Self::State, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal>;

    /// The consequences of a legal action, in games with a preview. Clients ask for one action at a time.
    fn prospect(&self, _state: &Self::State, _action: Self::Action) -> Prospect {
        Prospect::default()
    }

    /// A legal action as the list of moves shows it; `None` for the label of its view.
    fn move_label(&self, _state: &Self::State, _action: Self::Action) -> Option<MoveLabel> {
        None
    }

    /// The reason of the outcome of a finished game, as a text.
    fn outcome_text(&self, state: &Self::State, outcome: &Outcome) -> Text;

    /// The places that decided a finished game in which some seats won and others lost.
    fn decisive(&self, _state: &Self::State, _outcome: &Outcome) -> Decisive {
        Decisive::default()
    }

    /// The outcome as the view shows it. Games do not override it.
    fn outcome_view(&self, state: &Self::State) -> Option<OutcomeView> {
        let outcome = self.outcome(state)?;
        let undecided = outcome.winners.is_empty() || outcome.winners.len() == self.seats();
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.into(),
            text: self.outcome_text(state, &outcome),
            returns: outcome.returns(self.seats()),
            decisive: if undecided { Decisive::default() } else { self.decisive(state, &outcome) },
        })
    }

    /// A view with what the rules say of a state, and nothing drawn yet. Games do not override it.
    fn blank_view(&self, state: &Self::State, prompt: Text) -> View {
        View {
            game: self.info().name.into(),
            to_act: self.to_act(state).number(),
            turn: self.turn(state),
            prompt,
            areas: Vec::new(),
            pieces: Vec::new(),
            seats: Vec::new(),
            supply: Vec::new(),
            cards: Vec::new(),
            lines: Vec::new(),
            actions: Vec::new(),
            outcome: self.outcome_view(state),
        }
    }

    /// The sketch of a position text, in games with a position editor.
    fn sketch(&self, _text: &str) -> Sketched<'_> {
        None
    }
}
