//! The exploration loop and its budget.
