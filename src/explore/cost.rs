//! What events cost on a device that is not there: a model, so that strategies of different speed can be compared
//! at equal time on devices of any speed.

use crate::gui::EventKind;
use crate::outcome::run_event::{Did, RawInput};
use std::time::Duration;

/// Time assumed for each kind of event, until the screen has settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CostModel {
    /// A tap, a key, anything short.
    pub tap: Duration,
    /// A long press.
    pub long_press: Duration,
    /// A scroll, swipe, drag or pinch.
    pub gesture: Duration,
    /// A text typed.
    pub text: Duration,
    /// A system event.
    pub system: Duration,
    /// A start of the app.
    pub start: Duration,
    /// What the strategy itself takes for one event (choosing, learning).
    pub think: Duration,
}

impl CostModel {
    /// An event of a page.
    pub fn event(&self, kind: EventKind) -> Duration {
        let device = match kind {
            EventKind::Click
            | EventKind::Point
            | EventKind::Back
            | EventKind::Menu
            | EventKind::Enter => self.tap,
            EventKind::LongClick => self.long_press,
            EventKind::Text => self.text,
            EventKind::Scroll { .. } | EventKind::Swipe { .. } | EventKind::Pinch { .. } => {
                self.gesture
            }
        };
        device + self.think
    }

    /// Raw input.
    pub fn raw(&self, input: RawInput) -> Duration {
        let device = match input {
            RawInput::Tap { .. } | RawInput::Key { .. } | RawInput::Nothing => self.tap,
            RawInput::Drag { .. } | RawInput::Pinch { .. } | RawInput::Trackball { .. } => {
                self.gesture
            }
            RawInput::Rotate | RawInput::AppSwitch => self.system,
            RawInput::Wait { ms } => Duration::from_millis(ms),
        };
        device + self.think
    }

    /// A system event.
    pub fn system(&self) -> Duration {
        self.system + self.think
    }

    /// An action that named no widget: nothing is performed.
    pub fn invalid(&self) -> Duration {
        self.think
    }
}

impl CostModel {
    /// What was done; of an event on a page, `kind` says what it was.
    pub fn done(&self, did: &Did, kind: impl FnOnce() -> Option<EventKind>) -> Duration {
        match did {
            Did::Event { .. } => kind().map_or(self.tap + self.think, |kind| self.event(kind)),
            Did::Raw { action } => self.raw(*action),
            Did::System { .. } => self.system(),
            Did::Invalid => self.invalid(),
        }
    }
}

/// A budget of modelled time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modelled {
    /// The session ends when so much is spent.
    pub limit: Duration,
    /// On what.
    pub cost: CostModel,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_costs_its_kind_and_the_strategy_s_own_time() {
        let ms = Duration::from_millis;
        let cost = CostModel {
            tap: ms(200),
            text: ms(800),
            system: ms(1000),
            think: ms(5),
            ..CostModel::default()
        };
        assert_eq!(cost.event(EventKind::Back), ms(205));
        assert_eq!(cost.event(EventKind::Text), ms(805));
        assert_eq!(cost.raw(RawInput::Rotate), ms(1005));
        assert_eq!(cost.system(), ms(1005));
        assert_eq!(cost.invalid(), ms(5));
    }
}
