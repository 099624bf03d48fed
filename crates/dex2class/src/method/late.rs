//! Objects that are made long before their constructor is called.
//!
//! A method cannot be cut while an object waits for its constructor. The arguments of a constructor's call may be most
//! of a method, as in a table of nested objects. There the object is made right before the call; where it was made
//! before, another one is made and dropped, since that initialises the class and throws what it throws.

use super::Reason;
use super::decode::Body;
use super::flow::Flow;
use super::instruction::{Ins, Op, Width};
use super::uninit::{THIS, Uninit};
use crate::dex::CodeItem;

/// Instructions that an object may wait for its constructor.
const LONGEST_WAIT: u32 = 24;

/// Rewrites a method so that no object waits long. `this` is the register of a constructor's object.
///
/// # Errors
/// The method cannot be translated.
pub fn make_late(
    body: &mut Body<'_>,
    code: &CodeItem<'_>,
    this: Option<u16>,
    is_constructor: &impl Fn(u32) -> bool,
    exists: impl Fn(u32) -> bool,
) -> Result<(), Reason> {
    let flow = Flow::of(body, code, None, exists)?;
    let uninit = Uninit::of(body, &flow, this, is_constructor)?;
    let far = |ix: u32, site: u32| site != THIS && ix.abs_diff(site) > LONGEST_WAIT;
    let mut calls: Vec<(u32, u32, &[u16])> = uninit
        .calls
        .iter()
        .filter(|(ix, call)| far(**ix, call.site))
        .map(|(ix, call)| (*ix, body.ins[call.site as usize].index, &call.registers[..]))
        .collect();
    calls.sort_unstable();
    let mut calls = calls.into_iter().peekable();
    if calls.peek().is_none() {
        return Ok(());
    }
    let mut all = Vec::with_capacity(body.ins.len() + 2 * calls.len());
    for (ix, ins) in (0_u32..).zip(std::mem::take(&mut body.ins)) {
        // Of the instructions at one address, jumps lead to the first.
        body.by_address[ins.at as usize] =
            u32::try_from(all.len()).map_err(|_| Reason::TooLarge)?;
        if let Some((_, kind, registers)) = calls.next_if(|call| call.0 == ix) {
            let mut made = Ins {
                at: ins.at,
                end: ins.at,
                op: Op::NewInstance,
                dst: registers[0],
                uses: (0, 0),
                index: kind,
                literal: 0,
            };
            all.push(made);
            made.op = Op::Move(Width::Object);
            for &copy in &registers[1..] {
                body.use_regs(&mut made, &registers[..1])?;
                made.dst = copy;
                all.push(made);
            }
        }
        all.push(ins);
    }
    body.ins = all;
    Ok(())
}
