"""How many other files use a file, from a graph about to be published and from a stored one."""

from pathlib import Path

import numpy as np

from agrama.graph import keys
from agrama.graph.keys import repository_folder
from agrama.graph.snapshot import open_snapshot
from agrama.graph.store import Store
from agrama.graph.uses import USERS_STEP, Uses, count_users, read_uses


def test_several_uses_by_one_file_and_own_uses_count_once_and_not_at_all() -> None:
    # Files 1 and 2; 3 is defined in 1; 4 is external.
    owners = np.array([0, 1, 2, 1, 0], np.uint32)
    targets = np.array([3, 3, 1, 4, 3], np.uint32)
    files = np.array([2, 2, 2, 2, 1], np.uint32)
    users = count_users(Uses(files, targets, files, owners))
    assert users.tolist() == [0, round(USERS_STEP * np.log(2)), 0, 0, 0, 0]


def test_a_stored_graph_counts_what_a_fresh_build_counted(indexed: Path) -> None:
    with Store.open(repository_folder(indexed)) as store, open_snapshot(store) as snapshot:
        stored = snapshot.reader.get(keys.SCORES, keys.USERS_KEY)
        assert stored is not None
        assert bytes(stored) == count_users(read_uses(snapshot.reader)).tobytes()
        money, basket = snapshot.node("shop/money.py"), snapshot.node("shop/basket.py")
        assert money is not None and basket is not None and stored[money] > stored[basket]
