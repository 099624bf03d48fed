//! The paper's table, and what the original code gave when it was run again.

/// A row of the paper's table and what the original code gave when it was run again.
pub struct Anchor {
    /// File name without ending.
    pub model: &'static str,
    pub strings: u64,
    /// Romdhana et al., FATE's Table 1, means of 60 runs: Random, Q, TD3, SAC, DDPG.
    pub paper: [f64; 5],
    /// The unmodified code, measured: mean, standard deviation (0: not known), seeds; Random and Q.
    pub measured: [(f64, f64, f64); 2],
}

const fn anchor(
    model: &'static str,
    strings: u64,
    paper: [f64; 5],
    random: (f64, f64, f64),
    q: (f64, f64, f64),
) -> Anchor {
    Anchor {
        model,
        strings,
        paper,
        measured: [random, q],
    }
}

pub const ANCHORS: [Anchor; 13] = [
    anchor(
        "player",
        20,
        [88719., 89022., 89903., 89943., 90337.],
        (88603., 0., 60.),
        (87003., 0., 60.),
    ),
    anchor(
        "social",
        20,
        [15840., 20387., 22809., 25463., 30008.],
        (20321., 12240., 200.),
        (19841., 11510., 100.),
    ),
    anchor(
        "social",
        40,
        [9291., 7737., 14451., 10361., 7363.],
        (9176., 10012., 200.),
        (8465., 8626., 100.),
    ),
    anchor(
        "social",
        80,
        [4535., 5640., 5730., 7254., 4774.],
        (6075., 6968., 200.),
        (5839., 6160., 100.),
    ),
    anchor(
        "social_mod_5",
        20,
        [13960., 15400., 13094., 17402., 13385.],
        (12807., 11568., 200.),
        (12728., 11789., 100.),
    ),
    anchor(
        "bank",
        20,
        [22894., 21622., 29159., 28016., 36977.],
        (24617., 15868., 200.),
        (23312., 14085., 100.),
    ),
    anchor(
        "bank",
        40,
        [9746., 7750., 9305., 16535., 6458.],
        (10442., 12567., 200.),
        (11429., 12353., 100.),
    ),
    anchor(
        "bank",
        80,
        [3998., 4843., 4776., 5621., 4798.],
        (6628., 8961., 200.),
        (6870., 8228., 100.),
    ),
    anchor(
        "bank_mod_5",
        20,
        [12815., 8634., 8702., 14914., 11472.],
        (15080., 14815., 200.),
        (14776., 14747., 100.),
    ),
    anchor(
        "market_place",
        20,
        [19236., 18471., 20980., 23403., 25923.],
        (19474., 7719., 200.),
        (17100., 4019., 100.),
    ),
    anchor(
        "market_place",
        40,
        [15943., 16496., 15949., 15936., 16318.],
        (17295., 5291., 200.),
        (16878., 4365., 100.),
    ),
    anchor(
        "market_place",
        80,
        [15944., 15945., 15935., 15937., 15932.],
        (16195., 2532., 200.),
        (15950., 22., 100.),
    ),
    anchor(
        "market_place_mod_5",
        20,
        [18917., 16377., 16500., 21208., 16027.],
        (19925., 8207., 200.),
        (17098., 4629., 100.),
    ),
];
