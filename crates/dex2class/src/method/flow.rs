//! The control flow graph of a method.
//!
//! Blocks are cut finer than jumps demand: inside a `try` a block ends before an instruction that throws if a register
//! was defined since the block began. So what a handler finds in the registers is what they held where a block
//! begins, and an edge from the block's beginning to the handler is exact.

use super::Reason;
use super::decode::Body;
use super::instruction::{Call, Ins, Op};
use crate::dex::CodeItem;
use smallvec::{SmallVec, smallvec};

/// Number of a block.
pub type BlockId = u32;

/// A few numbers.
pub type Ids = SmallVec<[u32; 2]>;

/// No region.
pub const NO_REGION: u32 = u32::MAX;

/// A run of instructions that is entered at its first one only.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its instructions: `first..last`.
    pub first: u32,
    pub last: u32,
    /// The first of the blocks that were one before they were cut finer.
    pub head: BlockId,
    /// Where control goes without an exception.
    pub successors: Ids,
    /// From where control comes without an exception.
    pub predecessors: Ids,
    /// The region whose handlers its instructions reach; [`NO_REGION`] if they reach none.
    pub region: u32,
    /// Regions that have it as a handler.
    pub handles: Ids,
}

/// The handlers of a range of instructions.
#[derive(Clone, Default, Debug)]
pub struct Region {
    /// Type index of the class that is caught, or none for all; and the block.
    pub handlers: Vec<(Option<u32>, BlockId)>,
    /// Blocks with instructions that reach the handlers.
    pub members: Vec<BlockId>,
}

/// Steps for the handlers of a method, at most: for the class of an exception each handler of a range is compared with
/// all of the range. Four handlers in each of the 65,535 ranges that a method may have are a quarter of it.
const MOST_HANDLER_STEPS: usize = 1 << 22;

/// The graph. All its blocks are reachable.
pub struct Flow {
    /// Blocks in the order of their addresses.
    pub blocks: Vec<Block>,
    /// Regions, in order.
    pub regions: Vec<Region>,
    /// The region of an instruction that throws in it; [`NO_REGION`] for others.
    pub region_of: Vec<u32>,
}

struct Raw {
    handlers: Vec<(Option<u32>, usize)>,
}

impl Flow {
    /// The graph of a decoded method. With `longest` blocks have at most so many instructions, and one that takes or releases
    /// a monitor is a block of its own. `exists` tells whether a handler's type (by
    /// index) can be thrown at all.
    ///
    /// # Errors
    /// A jump or handler leads into the middle of an instruction, or control leaves the code.
    pub fn of(
        body: &Body<'_>,
        code: &CodeItem<'_>,
        longest: Option<usize>,
        exists: impl Fn(u32) -> bool,
    ) -> Result<Self, Reason> {
        let count = body.ins.len();
        if count == 0 {
            return Err(Reason::FallsOff);
        }
        let (raw, region_of) = regions(body, code, exists)?;
        let mut leader = vec![false; count + 1];
        let reachable = reach(body, &raw, &region_of, &mut leader)?;
        if let Some(longest) = longest {
            let mut begin = 0;
            for (ix, leader) in leader.iter_mut().enumerate() {
                let is_monitor = |ins: &Ins| matches!(ins.op, Op::MonitorEnter | Op::MonitorExit);
                *leader |= ix - begin >= longest
                    || body.ins.get(ix).is_some_and(is_monitor)
                    || ix > 0 && is_monitor(&body.ins[ix - 1]);
                if *leader {
                    begin = ix;
                }
            }
        }
        let mut flow = Self {
            blocks: Vec::with_capacity(8),
            regions: Vec::new(),
            region_of,
        };
        let block_of = flow.cut(body, &leader, &reachable);
        flow.connect(body, &block_of)?;
        // Of a range that control does not reach, a handler may be in the middle of a block.
        let mut reached = vec![false; raw.len()];
        for (&region, &reachable) in flow.region_of.iter().zip(&reachable) {
            if region != NO_REGION && reachable {
                reached[region as usize] = true;
            }
        }
        for (number, region) in raw.iter().enumerate() {
            let handlers = region
                .handlers
                .iter()
                .filter(|_| reached[number])
                .map(|&(kind, ix)| (kind, block_of[ix]))
                .collect();
            flow.regions.push(Region {
                handlers,
                members: Vec::new(),
            });
            let number = u32::try_from(number).map_err(|_| Reason::TooLarge)?;
            for &(_, block) in &flow.regions[number as usize].handlers {
                let handles = &mut flow.blocks[block as usize].handles;
                // Numbers ascend.
                if handles.last() != Some(&number) {
                    handles.push(number);
                }
            }
        }
        for (ix, block) in flow.blocks.iter().enumerate() {
            if block.region != NO_REGION {
                let ix = u32::try_from(ix).map_err(|_| Reason::TooLarge)?;
                flow.regions[block.region as usize].members.push(ix);
            }
        }
        Ok(flow)
    }

    /// Cuts reachable instructions into blocks; gives the block that begins at an instruction.
    fn cut(&mut self, body: &Body<'_>, leader: &[bool], reachable: &[bool]) -> Vec<BlockId> {
        let mut block_of = vec![BlockId::MAX; body.ins.len()];
        let mut head = 0;
        let mut defined = false;
        let mut open = false;
        for (ix, ins) in body.ins.iter().enumerate() {
            if !reachable[ix] {
                open = false;
                continue;
            }
            #[allow(clippy::cast_possible_truncation)]
            let number = ix as u32;
            let region = self.region_of[ix];
            let current = self.blocks.last().map_or(NO_REGION, |block| block.region);
            let whole = open && !leader[ix];
            let changes =
                region != NO_REGION && (defined || current != NO_REGION && current != region);
            if !whole || changes {
                #[allow(clippy::cast_possible_truncation)]
                let id = self.blocks.len() as u32;
                if !whole {
                    head = id;
                }
                block_of[ix] = id;
                self.blocks.push(Block {
                    first: number,
                    last: number,
                    head,
                    successors: Ids::new(),
                    predecessors: Ids::new(),
                    region: NO_REGION,
                    handles: Ids::new(),
                });
                defined = false;
                open = true;
            }
            if let Some(block) = self.blocks.last_mut() {
                block.last = number + 1;
                if region != NO_REGION {
                    block.region = region;
                }
            }
            // A constructor's call changes what the registers of its object hold.
            defined |=
                ins.dst != super::instruction::NONE || matches!(ins.op, Op::Invoke(Call::Direct));
            if ins.op.ends() {
                open = false;
            }
        }
        block_of
    }

    fn connect(&mut self, body: &Body<'_>, block_of: &[BlockId]) -> Result<(), Reason> {
        // By block: the last one that leads to it.
        let mut seen = vec![usize::MAX; self.blocks.len()];
        for id in 0..self.blocks.len() {
            let last = self.blocks[id].last as usize - 1;
            let ins = &body.ins[last];
            let mut to = Ids::new();
            if !ins.op.ends() {
                let next = block_of.get(last + 1).copied().ok_or(Reason::FallsOff)?;
                seen[next as usize] = id;
                to.push(next);
            }
            for target in targets(body, last)? {
                let block = block_of[target];
                if std::mem::replace(&mut seen[block as usize], id) != id {
                    to.push(block);
                }
            }
            #[allow(clippy::cast_possible_truncation)]
            for &next in &to {
                self.blocks[next as usize].predecessors.push(id as u32);
            }
            self.blocks[id].successors = to;
        }
        Ok(())
    }

    /// Handlers of a block.
    pub fn handlers(&self, block: &Block) -> &[(Option<u32>, BlockId)] {
        match block.region {
            NO_REGION => &[],
            region => &self.regions[region as usize].handlers,
        }
    }
}

fn regions(
    body: &Body<'_>,
    code: &CodeItem<'_>,
    exists: impl Fn(u32) -> bool,
) -> Result<(Vec<Raw>, Vec<u32>), Reason> {
    let mut raw = Vec::new();
    let mut region_of = vec![NO_REGION; body.ins.len()];
    let mut covered = 0;
    let mut left = MOST_HANDLER_STEPS;
    for item in code.tries {
        let item = item?;
        // Android takes no others; work on what overlaps would not be linear.
        if item.start < covered {
            return Err(Reason::BadTarget);
        }
        covered = item.end;
        let mut handlers = Vec::new();
        for handler in item.handlers {
            let (kind, address) = handler?;
            if kind.is_some_and(|kind| !exists(kind)) {
                continue;
            }
            let ix = body.at(address).ok_or(Reason::BadTarget)?;
            handlers.push((kind, ix));
            if kind.is_none() {
                break;
            }
        }
        if handlers.is_empty() {
            continue;
        }
        let steps = handlers.len() * handlers.len();
        left = left.checked_sub(steps).ok_or(Reason::TooLarge)?;
        let number = u32::try_from(raw.len()).map_err(|_| Reason::TooLarge)?;
        raw.push(Raw { handlers });
        let from = body.ins.partition_point(|ins| ins.at < item.start);
        for (ix, ins) in body.ins.iter().enumerate().skip(from) {
            if ins.at >= item.end {
                break;
            }
            if ins.op.throws() {
                region_of[ix] = number;
            }
        }
    }
    Ok((raw, region_of))
}

/// Instructions that control can reach; notes those to which it jumps, and those after a jump.
fn reach(
    body: &Body<'_>,
    raw: &[Raw],
    region_of: &[u32],
    leader: &mut [bool],
) -> Result<Vec<bool>, Reason> {
    let mut reachable = vec![false; body.ins.len()];
    let mut done = vec![false; raw.len()];
    let mut open = vec![0];
    leader[0] = true;
    while let Some(mut ix) = open.pop() {
        loop {
            if *reachable.get(ix).ok_or(Reason::FallsOff)? {
                break;
            }
            reachable[ix] = true;
            let region = region_of[ix];
            if region != NO_REGION && !std::mem::replace(&mut done[region as usize], true) {
                for &(_, handler) in &raw[region as usize].handlers {
                    leader[handler] = true;
                    open.push(handler);
                }
            }
            let jumps = targets(body, ix)?;
            if !jumps.is_empty() {
                leader[ix + 1] = true;
            }
            for target in jumps {
                leader[target] = true;
                open.push(target);
            }
            if body.ins[ix].op.ends() {
                leader[ix + 1] = true;
                break;
            }
            ix += 1;
        }
    }
    Ok(reachable)
}

/// Instructions to which one jumps.
pub fn targets(body: &Body<'_>, ix: usize) -> Result<SmallVec<[usize; 2]>, Reason> {
    let ins = &body.ins[ix];
    let find = |address: u32| body.at(address).ok_or(Reason::BadTarget);
    match ins.op {
        Op::Goto | Op::If(_) | Op::IfZero(_) => {
            let address = u32::try_from(ins.literal).map_err(|_| Reason::BadTarget)?;
            Ok(smallvec![find(address)?])
        }
        Op::Switch => body.switches[ins.index as usize]
            .cases
            .iter()
            .map(|&(_, address)| find(address))
            .collect(),
        _ => Ok(SmallVec::new()),
    }
}
