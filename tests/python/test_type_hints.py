# SPDX-License-Identifier: Apache-2.0
"""limber.pyi names what the module has, and nothing else."""
import ast
import unittest
from pathlib import Path

import limber


def public(names):
    return {name for name in names if not name.startswith("_")}


class TypeHints(unittest.TestCase):
    def test_the_hints_and_the_module_have_the_same_names(self):
        tree = ast.parse(Path(limber.__file__).with_name("limber.pyi").read_text())
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        only_types = {"Constants", "Damping"}
        self.assertEqual(functions | set(classes) - only_types, public(dir(limber)))
        for name in set(classes) - only_types - {"InputError"}:
            members = set()
            for node in classes[name].body:
                if isinstance(node, ast.FunctionDef):
                    members.add(node.name)
                elif isinstance(node, ast.AnnAssign):
                    members.add(node.target.id)
            self.assertEqual(public(members), public(dir(getattr(limber, name))), name)

    def test_everything_has_a_docstring(self):
        for name in public(dir(limber)):
            self.assertTrue(getattr(limber, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
