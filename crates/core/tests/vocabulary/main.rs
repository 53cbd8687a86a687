//! The vocabulary of games and searches by its documentation: provided methods, random numbers, scenes,
//! evaluators, values, limits, and rules that can fail.

mod evaluators;
mod fallible;
mod games;
mod limits;
mod numbers;
mod scenes;
mod toys;
mod values;
