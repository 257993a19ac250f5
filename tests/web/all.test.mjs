// SPDX-License-Identifier: Apache-2.0
// The studio in a browser. One file, so that one server and one browser serve all tests.
//     usage: tests/web/run PROGRAM FOLDER [options of node]
import './live.mjs';
import './bodies.mjs';
import './touching.mjs';
import './trees.mjs';
import './panels.mjs';
import './playing.mjs';
import './numbers.mjs';
import './states.mjs';
import './make.mjs';
import './own_mesh.mjs';
import './sketch_inspect.mjs';
import './large_and_exported.mjs';
import './every_view.mjs';
