use super::*;

#[test]
fn a_late_answer_is_no_answer_to_the_next_event() {
    let hand = Hand::new(true, PathBuf::new());
    assert!(hand.take());
    // As after an event that the session has taken and whose person has given up.
    hand.state().late = true;
    assert_eq!(hand.control(), Control::Acting);
    let seen = ExactId::default();
    assert_eq!(hand.act(Act::Back, seen), Err(Refused::Busy));
    hand.answer(Ok(()));
    assert_eq!(hand.control(), Control::Person);
    let refused = std::thread::scope(|scope| {
        let act = scope.spawn(|| hand.act(Act::Back, seen));
        while hand.control() != Control::Acting {
            std::thread::yield_now();
        }
        hand.answer(Err(Refused::Changed));
        act.join().unwrap()
    });
    assert_eq!(refused, Err(Refused::Changed));
}
