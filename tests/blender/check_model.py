# SPDX-License-Identifier: Apache-2.0
# Blender's view of a model file against the doubles of its extension LIMBER_model.
#     usage: blender --background --factory-startup --python-exit-code 1 --python check_model.py -- MODEL.glb
# The shape at weights w is X + U (s * w): rest positions, basis and target scales, docs/model_file.md.
import json
import struct
import sys

import bpy
import numpy as np

# Of the largest coordinate. Morph targets and weights are 32-bit floats; so are Blender's frame numbers (2e-6 apart at
# frame 20), which the samples' speed, below 0.5 of their size a frame, turns into less than this.
TOLERANCE = 1e-6


def read_model(path):
    """The JSON of a .glb file, and a function that gives a named array of the extension."""
    with open(path, "rb") as file:
        data = file.read()
    json_length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + json_length])
    binary = data[20 + json_length + 8 :]

    def view(index, dtype, shape):
        offset = document["bufferViews"][index]["byteOffset"]
        return np.frombuffer(binary, dtype, int(np.prod(shape)), offset).reshape(shape)

    def array(name):
        entry = document["extensions"]["LIMBER_model"]["arrays"][name]
        return view(entry["bufferView"], entry["type"], entry["shape"])

    def accessor(index):
        entry = document["accessors"][index]
        return view(entry["bufferView"], "float32", [entry["count"]])

    return document, array, accessor


def expected_shape(array, weights):
    """s x 3, in the model's own axes."""
    moved = np.tensordot(np.asarray(weights) * array("target_scale"), basis(array), axes=1)
    return array("surface.vertices") + moved


def basis(array):
    """r x s x 3: doubles, or the floats of the morph targets over their scales."""
    try:
        return array("surface.basis")
    except KeyError:
        return np.stack([array(f"surface.target.{i}") / scale for i, scale in enumerate(array("target_scale"))])


def gltf_from_model(up):
    """The rotation that stands each axis upright, +Y in glTF."""
    x, y, z = np.eye(3)
    rows = {"x": (-y, x, z), "-x": (y, -x, z), "y": (x, y, z), "-y": (x, -y, -z), "z": (x, z, -y), "-z": (x, -z, y)}
    return np.stack(rows[up])


def shown_shape(thing, up):
    """Vertices as Blender shows them, turned back from its z-up axes to glTF's, (x, z, -y), and to the model's."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", points)
    evaluated.to_mesh_clear()
    points = points.reshape(-1, 3)
    world = np.array(thing.matrix_world)
    points = points @ world[:3, :3].T + world[:3, 3]
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1) @ gltf_from_model(up)


def vertices_of_blender(thing, array, up):
    """Which of limber's vertices each of Blender's is: the importer reorders them by primitive. Vertices that a seam
    split stand in the same place and move alike, so any of them will do."""
    rest = array("surface.vertices")
    shown = shown_shape(thing, up)
    distance = np.linalg.norm(shown[:, None, :] - rest[None, :, :], axis=2)
    assert distance.min(axis=1).max() < 1e-6, "Blender's rest shape is another one"
    assert len(np.unique(distance.argmin(axis=1))) >= len(np.unique(array("surface.input_vertex")))
    return distance.argmin(axis=1)


def compare(thing, which, array, up, weights, what):
    expected = expected_shape(array, weights)[which]
    error = np.abs(shown_shape(thing, up) - expected).max() / np.abs(expected).max()
    assert error < TOLERANCE, f"{what}: the shape differs by {error:.2e} of its size"
    return error


def main():
    path = sys.argv[sys.argv.index("--") + 1]
    document, array, accessor = read_model(path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path, import_shading="SMOOTH")
    things = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    assert len(things) == 1, f"{len(things)} meshes"
    thing = things[0]
    rank = document["extensions"]["LIMBER_model"]["rank"]
    up = document["extensions"]["LIMBER_model"]["up"]
    keys = thing.data.shape_keys.key_blocks
    assert [key.name for key in keys[1:]] == [f"q{i}" for i in range(rank)], "the targets' names are lost"

    thing.data.shape_keys.animation_data_clear()
    for key in keys[1:]:
        key.slider_min, key.slider_max = -10, 10
        key.value = 0
    bpy.context.view_layer.update()
    which = vertices_of_blender(thing, array, up)

    worst = 0
    for weight in (-3, 7):
        for i in range(rank):
            weights = np.zeros(rank)
            weights[i] = weight
            for j in range(rank):
                keys[j + 1].value = weights[j]
            bpy.context.view_layer.update()
            worst = max(worst, compare(thing, which, array, up, weights, f"q{i} = {weight}"))

    frames = 0
    for animation in document.get("animations", []):
        sampler = animation["samplers"][0]
        times = accessor(sampler["input"])
        weights = accessor(sampler["output"]).reshape(len(times), rank)
        actions = [action for action in bpy.data.actions if action.name.startswith(animation["name"])]
        assert len(actions) == 1, f"animation {animation['name']}: {len(actions)} actions"
        thing.data.shape_keys.animation_data_create().action = actions[0]
        rate = bpy.context.scene.render.fps
        # At every key frame, and half way between them.
        for time in np.concatenate([times, (times[1:] + times[:-1]) / 2]):
            frame = float(time) * rate
            bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))
            now = [np.interp(time, times, weights[:, i]) for i in range(rank)]
            worst = max(worst, compare(thing, which, array, up, now, f"{animation['name']} at {time:.3f} s"))
            frames += 1
        thing.data.shape_keys.animation_data_clear()
    print(f"limber: {path.split('/')[-1]}: {2 * rank} poses, {frames} frames, largest error {worst:.1e}")


main()
