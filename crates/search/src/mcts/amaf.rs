//! Statistics of moves played at any later time: all moves as first (AMAF).
//!
//! A position with many visits has a table: for each player and move, the number of simulations in
//! which the player made the move after the position, and their total reward. Selection below the
//! position mixes the mean of a child with that of its move in the table of the closest ancestor
//! that has one (GRAVE, Cazenave 2015). Positions with few visits so learn from thousands of
//! simulations, and memory goes only to positions with many.
//!
//! Each thread has its own tables, so no simulation waits for another one.

use std::hash::{Hash, Hasher};

use super::tree::Block;

/// Bytes that the tables of a thread may have before the first simulation, and for each one.
const BASE_BYTES: usize = 1 << 18;
const BYTES_PER_SIMULATION: usize = 4;

/// Number that stands for no table.
const NONE: u32 = u32::MAX;

/// Hasher that returns a small number itself. Moves are small numbers in most games.
#[derive(Clone, Copy, Debug, Default)]
struct NumberHasher(u64);

impl Hasher for NumberHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n;
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

/// Map from keys to the numbers 0, 1, … in the order of their first appearance.
#[derive(Debug)]
struct Numbering<K> {
    /// Slots of an open hash table, a power of two of them and at least half of them empty.
    slots: Vec<Option<(K, u32)>>,
    len: u32,
}

impl<K: Copy + Eq + Hash> Numbering<K> {
    fn new() -> Self {
        Self { slots: vec![None; 64], len: 0 }
    }

    /// Returns the slot of a key, or the empty one where it belongs.
    #[inline]
    fn place(&self, key: K) -> usize {
        let mut hasher = NumberHasher::default();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        let mask = self.slots.len() - 1;
        let mut place = (hash ^ hash >> 32) as usize & mask;
        while self.slots[place].is_some_and(|(other, _)| other != key) {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    fn get(&self, key: K) -> Option<u32> {
        self.slots[self.place(key)].map(|(_, number)| number)
    }

    /// Returns the number of a key, a new one for a new key.
    #[inline]
    fn number(&mut self, key: K) -> u32 {
        let place = self.place(key);
        if let Some((_, number)) = self.slots[place] {
            return number;
        }
        self.slots[place] = Some((key, self.len));
        self.len += 1;
        if self.len as usize > self.slots.len() / 2 {
            let longer = vec![None; 2 * self.slots.len()];
            for slot in std::mem::replace(&mut self.slots, longer).into_iter().flatten() {
                let place = self.place(slot.0);
                self.slots[place] = Some(slot);
            }
        }
        self.len - 1
    }
}

/// Simulations in which a player made a move after a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statistic {
    pub(super) simulations: f32,
    total: f32,
}

impl Statistic {
    /// Returns the mean reward of the player; NaN without simulations.
    #[inline]
    pub(super) fn mean(self) -> f32 {
        self.total / self.simulations
    }
}

/// Table of one position.
#[derive(Debug, Default)]
struct Table {
    /// Number of simulations that are counted in the table.
    simulations: u32,
    /// Statistics by the number of the player and its move.
    statistics: Vec<Statistic>,
}

/// Tables of one thread.
#[derive(Debug)]
pub(super) struct Amaf<M> {
    /// Number of simulations from which a position has a table.
    threshold: u32,
    players: usize,
    moves: Numbering<M>,
    /// Numbers of tables by the first four of the block.
    blocks: Numbering<u32>,
    tables: Vec<Table>,
    bytes: usize,
    max_bytes: usize,
    /// Number of simulations of this thread.
    simulations: u32,
    /// Table that selection uses at the present position.
    reference: u32,
    /// Tables that selection used for each edge of the selected path.
    references: Vec<u32>,
    /// Tables of the selected path, each with the length of the path to its position.
    on_path: Vec<(usize, u32)>,
    /// Moves of the present playout, with their players.
    pub(super) record: Vec<(usize, M)>,
    /// Simulation in which each player made each move for the last time.
    seen: Vec<u32>,
    /// Different moves of the simulation so far, with the rewards of their players.
    gains: Vec<(u32, f32)>,
}

impl<M: Copy + Eq + Hash> Amaf<M> {
    pub(super) fn new(threshold: u32, players: usize, max_bytes: usize) -> Self {
        Self {
            threshold,
            players,
            moves: Numbering::new(),
            blocks: Numbering::new(),
            tables: Vec::new(),
            bytes: 0,
            max_bytes,
            simulations: 0,
            reference: NONE,
            references: Vec::new(),
            on_path: Vec::new(),
            record: Vec::new(),
            seen: Vec::new(),
            gains: Vec::new(),
        }
    }

    /// Returns the bytes of all tables.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Starts a simulation.
    pub(super) fn start(&mut self) {
        self.reference = NONE;
        self.references.clear();
        self.on_path.clear();
    }

    /// Notes that the selected path has reached a position with these children. `length` is the number of
    /// edges of the path.
    #[inline]
    pub(super) fn enter(&mut self, block: Block, visits: u32, length: usize) {
        let is_root = length == 1;
        if visits >= self.threshold || is_root {
            self.use_table(block, length);
        }
        self.references.resize(length, self.reference);
        self.references.push(self.reference);
    }

    fn use_table(&mut self, block: Block, length: usize) {
        let known = self.blocks.get(block.first);
        let Some(table) = known.or_else(|| self.add_table(block)) else { return };
        self.on_path.push((length, table));
        if length == 1 || self.tables[table as usize].simulations >= self.threshold {
            self.reference = table;
        }
    }

    /// Adds a table, if there is memory for it.
    fn add_table(&mut self, block: Block) -> Option<u32> {
        let allowed = BASE_BYTES + BYTES_PER_SIMULATION * self.simulations as usize;
        if self.bytes >= allowed.min(self.max_bytes) {
            return None;
        }
        self.tables.push(Table::default());
        self.bytes += size_of::<Table>() + 2 * size_of::<Option<(u32, u32)>>();
        Some(self.blocks.number(block.first))
    }

    /// Returns the table that selection used for an edge of the selected path.
    #[inline]
    pub(super) fn reference_at(&self, length: usize) -> u32 {
        self.references.get(length).copied().unwrap_or(NONE)
    }

    /// Returns the table that selection uses at the present position.
    #[inline]
    pub(super) fn reference(&self) -> u32 {
        self.reference
    }

    /// Returns the statistic of a move in a table.
    #[inline]
    pub(super) fn statistic(&self, table: u32, player: usize, mv: M) -> Statistic {
        let Some(table) = self.tables.get(table as usize) else { return Statistic::default() };
        let place = self.moves.get(mv).map(|number| number as usize * self.players + player);
        place.and_then(|place| table.statistics.get(place)).copied().unwrap_or_default()
    }

    /// Adds a simulation to the tables of the selected path, whose edges are `path`.
    pub(super) fn back_up(
        &mut self,
        path: impl DoubleEndedIterator<Item = Option<(usize, M)>> + ExactSizeIterator,
        reward: impl Fn(usize) -> f64,
    ) {
        self.simulations += 1;
        self.gains.clear();
        for i in 0..self.record.len() {
            let (player, mv) = self.record[i];
            self.see(player, mv, &reward);
        }
        self.record.clear();
        let mut length = path.len();
        let mut path = path.rev();
        for i in (0..self.on_path.len()).rev() {
            let (above, table) = self.on_path[i];
            while length > above {
                length -= 1;
                if let Some((player, mv)) = path.next().flatten() {
                    self.see(player, mv, &reward);
                }
            }
            let len = self.moves.len as usize * self.players;
            let table = &mut self.tables[table as usize];
            table.simulations += 1;
            if table.statistics.len() < len {
                let before = table.statistics.capacity();
                table.statistics.resize(len, Statistic::default());
                self.bytes += (table.statistics.capacity() - before) * size_of::<Statistic>();
            }
            for &(place, reward) in &self.gains {
                let statistic = &mut table.statistics[place as usize];
                statistic.simulations += 1.0;
                statistic.total += reward;
            }
        }
    }

    /// Adds a move to the list of different moves.
    #[inline]
    fn see(&mut self, player: usize, mv: M, reward: &impl Fn(usize) -> f64) {
        let place = self.moves.number(mv) as usize * self.players + player;
        if place >= self.seen.len() {
            self.seen.resize(self.moves.len as usize * self.players, 0);
        }
        if self.seen[place] != self.simulations {
            self.seen[place] = self.simulations;
            self.gains.push((place as u32, reward(player) as f32));
        }
    }
}
