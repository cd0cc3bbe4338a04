from agrama.graph.diffs import parse_diff

DIFF = """diff --git a/one.py b/one.py
index 1..2 100644
--- a/one.py
+++ b/one.py
@@ -3,3 +3,4 @@ def before():
 context
-removed_name = 1
+added_name = 2
+another = 3
 context
@@ -20,0 +22 @@
+inserted = 4
\\ No newline at end of file
--- /dev/null
+++ b/two.py
@@ -0,0 +1,2 @@
+--- looks like a header
+x = 1
"""


def test_both_sides_of_each_file() -> None:
    one, two = parse_diff(DIFF)
    assert (one.old_path, one.new_path) == ("one.py", "one.py")
    assert one.removed == [(4, "removed_name = 1")]
    assert one.added == [(4, "added_name = 2"), (5, "another = 3"), (22, "inserted = 4")]
    assert one.old_ranges == [(4, 4), (20, 20)]
    assert one.words[:2] == ["removed_name", "added_name"]
    assert (two.old_path, two.new_path) == (None, "two.py")
    assert two.added[0] == (1, "--- looks like a header")


def test_text_that_is_no_diff_gives_nothing() -> None:
    assert parse_diff("") == []
    assert parse_diff("hello\nworld") == []
