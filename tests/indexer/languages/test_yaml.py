from data_facts import list_symbols


def test_mappings_are_sections_and_other_values_keys() -> None:
    text = """\
        name: CI
        on: {push: {branches: [main]}, pull_request: null}
        jobs:
          "test":
            runs-on: ubuntu
            steps:
              - uses: checkout

        env: x
        """
    assert list_symbols("ci.yml", text) == [
        "section on 2-2",
        "section on.push 2-2",
        "section jobs 3-7",
        "section jobs.test 4-7",
        "key name 1-1",
        "key on.push.branches 2-2",
        "key on.pull_request 2-2",
        "key jobs.test.runs-on 5-5",
        "key jobs.test.steps 6-7",
        "key env 9-9",
    ]


def test_of_several_documents_a_repeated_key_counts_once() -> None:
    text = "kind: A\nspec:\n  x: 1\n---\nkind: B\nspec:\n  y: 1\n"
    assert list_symbols("k8s.yaml", text) == [
        "section spec 2-3",
        "section spec#2 6-7",
        "key kind 1-1",
        "key spec.x 3-3",
        "key spec#2.y 7-7",
    ]


def test_anchors_block_scalars_and_lists_are_values() -> None:
    text = "base: &base\n  a: 1\nuse:\n  <<: *base\n  text: |\n    k: v\n- x\n"
    found = list_symbols("a.yaml", text)
    assert "section base 1-2" in found
    assert not any("k" in row.split()[1].split(".") for row in found)


def test_a_broken_file_keeps_its_intact_keys() -> None:
    assert "key a 1-1" in list_symbols("a.yaml", "a: 1\nb: [\nc: 2\n")
