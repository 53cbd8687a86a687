"""Tests of the client and the agents. From the root of the repository:

    TUSSLE=target/release/tussle python3 -m unittest discover -s examples/agents/python
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from itertools import product
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import play
from mcts_agent import MAX_FINDINGS, MctsAgent
from minimax_agent import WIN, MinimaxAgent
from tussle_rules import RELEASE_BATCH, Game, RulesError, ServiceDied, State, find_tussle

TUSSLE = find_tussle()
CELLS = [column + row for row, column in product("123", "abc")]
LINES = ["a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "c1b2a3"]


def quietly(*match: Any) -> List[str]:
    with contextlib.redirect_stdout(io.StringIO()):
        return play.play_match(*match)


def count(state: State, plies: int) -> int:
    """Returns the number of move sequences of this length, like `tussle perft`."""
    if plies == 0:
        return 1
    return sum(count(state.apply(move), plies - 1) for move in state.moves())


class Client(unittest.TestCase):
    """Tests of the rules service through `tussle_rules`."""

    def setUp(self) -> None:
        self.game = Game("tictactoe")
        self.addCleanup(self.game.close)

    def test_perft_matches_the_published_counts(self) -> None:
        start = self.game.start()
        self.assertEqual([count(start, n) for n in range(5)], [1, 9, 72, 504, 3024])

    def test_moves_and_results_match_a_naive_board(self) -> None:
        rng = random.Random(5)
        for _ in range(20):
            state, owner = self.game.start(), {}  # type: State, Dict[str, int]
            while state.result is None:
                self.assertEqual(state.player, len(owner) % 2)
                free = [cell for cell in CELLS if cell not in owner]
                self.assertEqual(state.moves(), free)
                for taken in owner:
                    with self.assertRaises(RulesError):
                        state.apply(taken)
                move = rng.choice(free)
                owner[move] = len(owner) % 2
                state = state.apply(move)
                lines = [{owner.get(l[i : i + 2]) for i in (0, 2, 4)} for l in LINES]
                expected = [1, -1] if {0} in lines else [-1, 1] if {1} in lines else None
                if expected is None and len(owner) == 9:
                    expected = [0, 0]
                self.assertEqual(state.result, expected)
            self.assertEqual((state.turn, state.player, state.moves()), ("over", None, []))

    def test_an_illegal_move_is_rejected_and_changes_nothing(self) -> None:
        state = self.game.start().apply("b2")
        before = (state.position, state.moves(), state.draw())
        for wrong in ["b2", "d1", "", "b2 ", "\0", "é" * 1000]:
            with self.assertRaises(RulesError) as raised:
                state.apply(wrong)
            self.assertTrue(str(raised.exception))
        self.assertEqual((state.position, state.moves(), state.draw()), before)
        self.assertEqual(state.apply("a1").player, 0)

    def test_evaluations_are_for_the_player_to_move_or_the_named_player(self) -> None:
        # x in the centre has eight open lines, and o has four.
        state = self.game.start().apply("b2")
        self.assertEqual(state.player, 1)
        self.assertEqual(state.eval(), state.eval("open-lines", player=1))
        self.assertEqual(state.eval(player=0), 4)
        self.assertEqual(state.eval(player=1), -4)
        for wrong in [("nonsense", 0), ("", 2)]:
            with self.assertRaises(RulesError):
                state.eval(*wrong)

    def test_equal_seeds_give_equal_playouts(self) -> None:
        start = self.game.start()
        results = [start.playout(seed) for seed in range(200)]
        self.assertEqual(results, [start.playout(seed) for seed in range(200)])
        # The first player wins 58.5 % of random games. The standard error of 200 games is 3.5 %.
        self.assertAlmostEqual(results.count([1, -1]) / 200, 0.585, delta=0.12)

    def test_an_invalid_position_is_rejected(self) -> None:
        for wrong in ["", "nonsense", "xxx/xxx/xxx o"]:
            with self.assertRaises(RulesError):
                self.game.start(wrong)

    def test_only_unused_states_are_released(self) -> None:
        start = self.game.start()
        alive = start.apply("a1")
        handles = [start.apply("b2").handle for _ in range(2500)]  # released one by one
        states = [start.apply("c3") for _ in range(2500)]
        handles += [state.handle for state in states]
        self.assertEqual(len(states[0].moves()), 8)
        del states  # released together
        gc.collect()
        released = 0
        for handle in handles:
            try:
                self.game.ask(op="moves", state=handle)
            except RulesError as error:
                self.assertEqual(str(error), f"there is no handle {handle}")
                released += 1
        # The last states wait for a complete batch.
        self.assertGreater(released, 5000 - RELEASE_BATCH)
        self.assertEqual(alive.apply("b2").position, start.apply("a1").apply("b2").position)

    def test_many_requests_are_answered_in_order(self) -> None:
        start = self.game.start()
        # More than two pipes hold, so a client that only writes would block forever.
        requests = [{"op": "moves", "state": start.handle}] * 9999
        requests += [{"op": "apply", "state": start.handle, "move": m} for m in ("b2", "z9")]
        answers = self.game.ask_all(requests)
        self.assertEqual(len(answers), 10001)
        self.assertTrue(all(len(answer["moves"]) == 9 for answer in answers[:9999]))
        self.assertEqual(answers[9999]["position"], ".../.x./... o")
        self.assertIn("z9", answers[10000]["error"])
        self.assertEqual(self.game.ask_all([]), [])

    def test_a_killed_service_raises_service_died(self) -> None:
        state = self.game.start()
        self.game._process.kill()
        self.game._process.wait()
        for _ in range(2):
            with self.assertRaisesRegex(ServiceDied, "rules service has ended"):
                state.moves()

    def test_a_closed_game_raises_service_died(self) -> None:
        with Game("tictactoe") as game:
            state = game.start()
        with self.assertRaisesRegex(ServiceDied, "open the game again"):
            state.moves()

    def test_the_error_of_a_wrong_spec_suggests_a_game(self) -> None:
        with self.assertRaisesRegex(ServiceDied, "unknown game `tictactoes`.*tictactoe"):
            Game("tictactoes")

    def test_the_error_of_a_missing_program_names_it(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, "/no/such/tussle is not a program"):
            Game("tictactoe", binary="/no/such/tussle")

    def test_after_an_interrupted_request_the_service_is_closed(self) -> None:
        class Interrupted:
            closed = False

            def readline(self) -> bytes:
                raise KeyboardInterrupt

            def close(self) -> None:
                pipe.close()

        state, pipe = self.game.start(), self.game._process.stdout
        self.game._process.stdout = Interrupted()  # type: ignore[assignment]
        with self.assertRaises(KeyboardInterrupt):
            state.moves()
        with self.assertRaises(ServiceDied):
            state.draw()

    @unittest.skipUnless(Path("/proc/self/stat").exists(), "looks for the process in /proc")
    def test_the_service_ends_with_a_killed_client(self) -> None:
        code = "import time; from tussle_rules import Game; game = Game('tictactoe'); "
        code += "print(game._process.pid, flush=True); time.sleep(60)"
        environment = {**os.environ, "TUSSLE": TUSSLE, "PYTHONPATH": str(HERE)}
        command = [sys.executable, "-c", code]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as client:
            service = Path("/proc", client.stdout.readline().decode().strip(), "stat")
            self.assertTrue(service.exists())
            client.send_signal(signal.SIGKILL)
        for _ in range(100):
            # A process that ended but was not waited for is in state Z.
            if not service.exists() or service.read_text().rsplit(")")[-1].split()[0] == "Z":
                return
            time.sleep(0.05)
        self.fail("the service still runs five seconds after its client")


class Protocol(unittest.TestCase):
    """Tests of the protocol without the client."""

    def answers(self, *lines: bytes) -> List[Dict[str, Any]]:
        command = [TUSSLE, "rules", "tictactoe"]
        done = subprocess.run(command, input=b"\n".join(lines), capture_output=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_garbage_is_answered_with_an_error_and_the_service_continues(self) -> None:
        garbage = [
            b"hello",
            b"{",
            b"[]",
            b"null",
            b"\xff\xfe\x00",
            b"[" * 10_000,
            b'{"op":"fly"}',
            b'{"op":"start","colour":"red"}',
            b'{"op":"moves"}',
            b'{"op":"moves","state":-1}',
            b'{"op":"moves","state":99}',
            b'{"op":"apply","state":"... x"}',
            b'{"op":"start","position":"' + b"x" * (1 << 20) + b'"}',
        ]
        answers = self.answers(*garbage, b"", b'{"op":"start","id":"last"}')
        self.assertEqual(len(answers), len(garbage) + 1)
        for line, answer in zip(garbage, answers):
            self.assertEqual(list(answer), ["error"], line[:50])
        self.assertEqual((answers[-1]["id"], answers[-1]["state"]), ("last", 1))

    def test_a_state_can_be_given_by_its_text(self) -> None:
        start = self.answers(b'{"op":"start"}')[0]["position"]
        request = {"op": "apply", "state": start, "move": "b2"}
        after = self.answers(json.dumps(request).encode())[0]
        self.assertEqual(after["state"], after["position"])
        self.assertEqual(after["player"], 1)

    def test_the_examples_of_the_documents_match_the_service(self) -> None:
        root = HERE.parents[2]
        example = re.compile(r"^(?:> |\| `)(\{.*\})(?:\n< |` \| `+)(\{.*\})(?:`+ \|)?$", re.M)
        for document in [HERE / "README.md", root / "docs/reference/rules-service.md"]:
            examples = example.findall(document.read_text(encoding="utf-8"))
            self.assertGreaterEqual(len(examples), 9, document)
            answers = self.answers(*(request.encode() for request, _ in examples))
            for (request, written), answer in zip(examples, answers):
                self.assertEqual(json.loads(written), answer, f"{document.name}: {request}")


# Trees written by hand. A leaf is the list of the players' utilities. An inner node is a pair of the player
# to move (None for chance) and a dict of moves; the moves of chance are pairs (probability, node).
Tree = Any


class TreeState:
    """State of a hand-written tree, with the interface of `tussle_rules.State`."""

    def __init__(self, tree: Tree, log: List[str], playouts: Dict[str, float], name: str = ""):
        self.name, self.log, self.playouts = name, log, playouts
        self.result: Optional[List[float]] = tree if isinstance(tree, list) else None
        self.player, self.tree = (None, {}) if isinstance(tree, list) else tree

    def moves(self) -> List[str]:
        return list(self.tree)

    def outcomes(self) -> List[Tuple[str, float]]:
        return [(move, probability) for move, (probability, _) in self.tree.items()]

    def apply(self, move: str) -> TreeState:
        self.log.append(move)
        node = self.tree[move] if self.player is not None else self.tree[move][1]
        return TreeState(node, self.log, self.playouts, move)

    def playout(self, seed: int) -> List[float]:
        self.log.append(f"seed {seed}")
        return [self.playouts.get(self.name, 0.0)] * 3


def tree_state(tree: Tree, **playouts: float) -> Any:
    return TreeState(tree, [], playouts)


def ends(**values: float) -> Dict[str, Tree]:
    """Returns leaves of a game of two players, given the utilities of the first player."""
    return {name: [value, -value] for name, value in values.items()}


class Minimax(unittest.TestCase):
    def test_the_lecture_example_takes_the_steps_of_the_lecture(self) -> None:
        d, e = (0, ends(H=4, I=8)), (0, ends(J=9, K=3))
        f, g = (0, ends(L=2, M=-2)), (0, ends(N=9, O=-1))
        root = tree_state((0, {"B": (1, {"D": d, "E": e}), "C": (1, {"F": f, "G": g})}))
        self.assertEqual(MinimaxAgent(depth=3).search(root), ("B", 8 * WIN))
        # K, and G with N and O, are pruned.
        self.assertEqual("".join(root.log), "BDHIEJCFLM")

    def test_a_value_equal_to_the_bound_causes_a_cutoff(self) -> None:
        root = tree_state((0, {"B": (1, {"D": (0, ends(H=8)), "E": (0, ends(J=8, K=9))})}))
        self.assertEqual(MinimaxAgent(depth=3).choose(root), "B")
        self.assertEqual("".join(root.log), "BDHEJ")

    def test_the_second_player_maximises_its_own_result(self) -> None:
        root = tree_state((1, {"a": (0, ends(b=1, c=-1)), "d": (0, ends(e=-1, f=0))}))
        self.assertEqual(MinimaxAgent(depth=2).choose(root), "d")

    def test_quick_wins_and_slow_losses_are_preferred(self) -> None:
        slow = (1, {"x": (0, ends(y=1))})
        root = tree_state((0, {"slow": slow, **ends(now=1)}))
        self.assertEqual(MinimaxAgent(depth=3).choose(root), "now")
        lost = (1, {"x": (0, ends(y=-1))})
        root = tree_state((0, {**ends(now=-1), "later": lost}))
        self.assertEqual(MinimaxAgent(depth=3).choose(root), "later")

    def test_chance_outcomes_are_weighted_by_their_probabilities(self) -> None:
        gamble = (None, {"luck": (0.75, [1, -1]), "none": (0.25, [-1, 1])})
        for sure, choice in [(0.4, "gamble"), (0.6, "sure")]:
            root = tree_state((0, {**ends(sure=sure), "gamble": gamble}))
            self.assertEqual(MinimaxAgent(depth=2).choose(root), choice)

    def test_a_window_above_a_chance_node_does_not_prune_below_it(self) -> None:
        # The first leaf of `mean` is worse than `sure`, but the second leaf must still be searched.
        mean = (1, ends(bad=-1, worse=-10))
        gamble = (None, {"one": (0.5, mean), "two": (0.5, [8, -8])})
        root = tree_state((0, {**ends(sure=0), "gamble": gamble}))
        self.assertEqual(MinimaxAgent(depth=3).choose(root), "sure")

    def test_pruning_changes_no_value(self) -> None:
        def naive(state: State, me: int, depth: int) -> float:
            if state.result is not None:
                return state.result[me] * (WIN + depth)
            if depth == 0:
                return state.eval(player=me)
            values = [naive(state.apply(move), me, depth - 1) for move in state.moves()]
            return max(values) if state.player == me else min(values)

        rng = random.Random(2)
        with Game("tictactoe") as game:
            for _ in range(6):
                state = game.start()
                for _ in range(rng.randrange(5)):
                    state = state.apply(rng.choice(state.moves()))
                if state.result is None:
                    value = naive(state, state.player, 3)
                    self.assertEqual(MinimaxAgent(depth=3).search(state)[1], value)

    def test_full_depth_never_loses_tictactoe(self) -> None:
        with Game("tictactoe") as game:
            for seed in (1, 2, 3):
                self.assertNotIn("loss", quietly(game, MinimaxAgent(depth=9), 2, seed))


class Mcts(unittest.TestCase):
    def test_the_lecture_example_takes_the_steps_of_the_lecture(self) -> None:
        s1 = (0, {"s3": (0, {}), "s4": (0, {})})
        s2 = (0, {"s5": (0, {}), "s6": (0, {})})
        root_state = tree_state((0, {"s1": s1, "s2": s2}), s1=20, s2=10, s3=0, s5=14)
        root = MctsAgent(simulations=4, c=2).search(root_state)
        s1, s2 = root.children
        self.assertEqual((s1.move, s1.total, s1.visits), ("s1", 20, 2))
        self.assertEqual((s2.move, s2.total, s2.visits), ("s2", 24, 2))
        self.assertEqual([(c.move, c.total, c.visits) for c in s1.children], [("s3", 0, 1)])
        self.assertEqual([(c.move, c.total, c.visits) for c in s2.children], [("s5", 14, 1)])
        self.assertAlmostEqual(root.ucb1(s1, 2), 11.6651, places=4)
        self.assertAlmostEqual(root.ucb1(s2, 2), 13.6651, places=4)
        # Both children have two visits, so the mean decides.
        agent = MctsAgent(simulations=4, c=2)
        self.assertEqual(agent.choose(root_state), "s2")
        listed = [(found["move"], found["visits"], found["value"]) for found in agent.findings]
        self.assertEqual(listed, [("s2", 2, 12), ("s1", 2, 10)])

    def test_findings_have_values_of_the_player_to_move_and_only_the_best_moves(self) -> None:
        agent = MctsAgent(simulations=500)
        moves = {f"m{number}": [number / 200, -number / 200] for number in range(200)}
        self.assertEqual(agent.choose(tree_state((1, moves))), "m0")
        self.assertEqual(len(agent.findings), MAX_FINDINGS)
        for found in agent.findings:
            self.assertAlmostEqual(found["value"], moves[found["move"]][1])
        visits = [found["visits"] for found in agent.findings]
        self.assertEqual(visits, sorted(visits, reverse=True))

    def test_each_of_three_players_maximises_its_own_result(self) -> None:
        # The second player plays for its own 2, not for the 1 that is worst for the first player.
        hope = (1, {"a": [9, 0, 0], "b": [0, 1, 0]})
        good = (1, {"c": [0, 1, 0], "d": [3, 2, 0]})
        root = tree_state((0, {"hope": hope, "sure": [1, 0, 0], "good": good}))
        self.assertEqual(MctsAgent(simulations=400, c=2).choose(root), "good")

    def test_chance_outcomes_occur_with_their_probabilities(self) -> None:
        gamble = (None, {"luck": (0.2, [1, -1]), "none": (0.8, [-1, 1])})
        root = MctsAgent(simulations=2000).search(tree_state((0, {**ends(sure=-2), "gamble": gamble})))
        node = max(root.children, key=lambda child: child.visits)
        visits = {child.move: child.visits for child in node.children}
        self.assertAlmostEqual(visits["luck"] / node.visits, 0.2, delta=0.05)
        for sure, choice in [(-0.3, "sure"), (-0.9, "gamble")]:
            state = tree_state((0, {**ends(sure=sure), "gamble": gamble}))
            self.assertEqual(MctsAgent(simulations=1000).choose(state), choice)

    def test_every_playout_has_its_own_seed(self) -> None:
        root = tree_state((0, {"s1": (0, {"s2": (0, {"s3": (0, {})})})}))
        MctsAgent(simulations=3).search(root)
        seeds = {entry for entry in root.log if entry.startswith("seed")}
        self.assertEqual(len(seeds), 3)

    def test_it_wins_most_games_of_tictactoe(self) -> None:
        with Game("tictactoe") as game:
            verdicts = quietly(game, MctsAgent(simulations=200), 20, 1)
        self.assertGreaterEqual(verdicts.count("win"), 15, verdicts)


LISTED = json.loads(subprocess.run([TUSSLE, "games", "--json"], capture_output=True).stdout)

# Take 2, or bet on a biased coin and then on a fair one: 0.6 * (10 + 0) / 2 - 0.4 * 2 = 2.2.
COIN = """{ "root": "offer", "nodes": {
    "offer": { "max": [{ "to": "safe", "move": "take" }, { "to": "toss", "move": "bet" }] },
    "safe": 2,
    "toss": { "chance": [{ "to": "on", "move": "heads", "p": 0.6 },
                         { "to": "lost", "move": "tails", "p": 0.4 }] },
    "lost": -2,
    "on": { "max": [{ "to": "kept", "move": "stop" }, { "to": "again", "move": "bet" }] },
    "kept": 4,
    "again": { "chance": [{ "to": "won", "move": "heads" }, { "to": "zero", "move": "tails" }] },
    "won": 10, "zero": 0 } }"""

# Every player maximises its own value: the third plays b and c, so the second plays LL, and the first, who
# gets 4 there and 3 elsewhere, plays L.
THREE = """{ "root": "start", "nodes": {
    "start": { "player": 1, "moves": ["L", "R"] }, "R": [3, 0, 0],
    "L": { "player": 2, "moves": ["LL", "LR"] },
    "LL": { "player": 3, "moves": ["a", "b"] }, "LR": { "player": 3, "moves": ["c", "d"] },
    "a": [0, 0, 1], "b": [4, 5, 2], "c": [0, 1, 9], "d": [6, 7, 1] } }"""


@unittest.skipUnless(any(row["name"] == "tree" for row in LISTED), "this tussle has no game `tree`")
class Trees(unittest.TestCase):
    """Tests of chance and three players through the service."""

    def tree(self, text: str) -> Game:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name, "tree.json")
        path.write_text(text, encoding="utf-8")
        game = Game(f"tree:file={path}")
        self.addCleanup(game.close)
        return game

    def test_chance_has_outcomes_and_no_player(self) -> None:
        offer = self.tree(COIN).start()
        self.assertEqual(offer.outcomes(), [])
        toss = offer.apply("bet")
        self.assertEqual((toss.turn, toss.player, toss.result), ("chance", None, None))
        self.assertEqual(toss.outcomes(), [("heads", 0.6), ("tails", 0.4)])
        self.assertEqual(toss.apply("tails").result, [-2, 2])
        move, value = MinimaxAgent(depth=4).search(offer)
        self.assertEqual(move, "bet")
        self.assertAlmostEqual(value / WIN, 2.2, places=4)
        self.assertEqual(MinimaxAgent(depth=4).choose(toss.apply("heads")), "bet")

    def test_mcts_maximises_the_value_of_each_of_three_players(self) -> None:
        start = self.tree(THREE).start()
        self.assertEqual(start.turn, "player-1")
        agent = MctsAgent(simulations=1000, c=4)
        self.assertEqual(agent.choose(start), "L")
        self.assertEqual(agent.choose(start.apply("L")), "LL")
        self.assertEqual(agent.choose(start.apply("L").apply("LR")), "c")


class EveryGame(unittest.TestCase):
    """Tests of all games that need no file."""

    def test_positions_survive_parsing_and_agents_play_legal_moves(self) -> None:
        for row in LISTED:
            with self.subTest(row["name"]):
                try:
                    game = Game(row["name"])
                except ServiceDied as error:
                    if any(param["values"] == "FILE" for param in row["params"]):
                        self.skipTest(str(error))
                    raise
                with game:
                    self.walk(game)

    def walk(self, game: Game) -> None:
        rng, state = random.Random(3), game.start()
        agents: List[play.Agent] = [MctsAgent(simulations=10)]
        if game.players == 2 and game.evaluations:
            agents.append(MinimaxAgent(depth=1))
        for ply in range(200):
            again = game.start(state.position)
            for field in ("position", "turn", "player", "result"):
                self.assertEqual(getattr(again, field), getattr(state, field))
            self.assertEqual(again.moves(), state.moves())
            with self.assertRaises(RulesError):
                state.apply("no such move")
            if state.result is not None:
                self.assertEqual((state.turn, len(state.result)), ("over", game.players))
                return
            self.assertTrue(state.draw().strip())
            if state.player is None:
                self.assertAlmostEqual(sum(p for _, p in state.outcomes()), 1.0)
            elif ply < 6:
                for agent in agents:
                    self.assertIn(agent.choose(state), state.moves())
            state = state.apply(rng.choice(state.moves()))


class Programs(unittest.TestCase):
    """Tests of the agents as programs."""

    def run_python(self, *arguments: str) -> subprocess.CompletedProcess:
        environment = {**os.environ, "TUSSLE": TUSSLE, "PYTHONPATH": str(HERE)}
        command = [sys.executable, *arguments]
        # Not a pipe, from which the agents would read the requests of a match.
        return subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    def test_the_programs_print_every_game_and_a_summary(self) -> None:
        for program in ["minimax_agent.py", "mcts_agent.py"]:
            command = [str(HERE / program), "tictactoe", "--seed", "4"]
            runs = [self.run_python(*command) for _ in range(2)]
            self.assertEqual(runs[0].stdout, runs[1].stdout)
            lines = runs[0].stdout.splitlines()
            self.assertEqual(len(lines), 3, runs[0])
            self.assertRegex(lines[0], r"^game 1, first: ([abc][123] )+=> (win|draw|loss) \(")
            self.assertRegex(lines[1], r"^game 2, second: ([abc][123] )+=> (win|draw|loss) \(")
            self.assertRegex(lines[2], r"^W \d / D \d / L \d$")

    def test_the_agent_of_the_readme_runs(self) -> None:
        text = (HERE / "README.md").read_text(encoding="utf-8")
        code = text.split("```python\n")[1].split("```")[0]
        self.assertLessEqual(len(code.splitlines()), 15)
        run = self.run_python("-c", code, "tictactoe", "--games", "4")
        self.assertRegex(run.stdout, r"W [34] / D \d / L \d\n$", run)

    def test_the_programs_play_in_matches(self) -> None:
        for program in ["minimax_agent.py", "mcts_agent.py"]:
            agent = f"json:{sys.executable} {HERE / program} tictactoe"
            match = [TUSSLE, "match", "tictactoe", agent, "random", "--games", "2", "--json"]
            environment = {**os.environ, "TUSSLE": TUSSLE}
            run = subprocess.run(match, env=environment, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            played = json.loads(run.stdout)
            self.assertEqual((played["games"], played["verdicts"]["normal"]), (2, 2), run.stdout)

    def test_mcts_reports_every_move_to_an_analysis(self) -> None:
        agent = f"json:{sys.executable} {HERE / 'mcts_agent.py'} tictactoe --simulations 300"
        command = [TUSSLE, "analyse", "tictactoe", "--moves", "a1,b1,a2,b2", "--agent", agent]
        environment = {**os.environ, "TUSSLE": TUSSLE}
        run = subprocess.run(
            [*command, "--time", "60s", "--json"], env=environment, capture_output=True, text=True
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("warning", run.stderr)
        found = json.loads(run.stdout)
        lines = found["lines"]
        self.assertEqual({line["move"] for line in lines}, {"c1", "c2", "a3", "b3", "c3"})
        self.assertEqual(sum(line["visits"] for line in lines), 300)
        # The first player has a1 and a2, so a3 wins.
        self.assertEqual((found["best"], found["value"]), ("a3", 1))
        self.assertEqual((found["unit"], found["expected_score"]), ("result", 1))
        self.assertTrue(all(line["value"] < 1 for line in lines[1:]), run.stdout)

    def test_a_search_returns_a_move_at_its_deadline(self) -> None:
        with Game("gobblet") as game:
            for agent in [MinimaxAgent(depth=9), MctsAgent(simulations=10**9)]:
                agent.deadline = time.monotonic() + 0.1
                state = game.start()
                self.assertIn(agent.choose(state), state.moves())

    def test_the_error_of_a_wrong_game_is_one_line(self) -> None:
        run = self.run_python(str(HERE / "mcts_agent.py"), "chess")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"^error: .*unknown game `chess`.*\n$")


if __name__ == "__main__":
    unittest.main()
