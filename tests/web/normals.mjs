// SPDX-License-Identifier: Apache-2.0
// Normals of a bent surface, computed anew from its triangles: those around a point, weighted by their area. Across an
// edge that is hard at rest they are not mixed, so a point has one normal for each of its smooth parts.

const kHardDegrees = 40;

const at = (list, v) => [list[3 * v], list[3 * v + 1], list[3 * v + 2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(...a);

export function degreesBetween(a, b) {
  return (Math.atan2(length(cross(a, b)), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * 180) / Math.PI;
}

/** Of length twice the area. */
function faceNormal(positions, [a, b, c]) {
  return cross(minus(at(positions, b), at(positions, a)), minus(at(positions, c), at(positions, a)));
}

/** For each vertex the normals of the smooth parts that meet there. */
export function areaWeightedNormals(positions, rest, triangles) {
  const points = new Map(), pointOf = [];
  for (let v = 0; v < rest.length / 3; ++v) {
    const key = at(rest, v).join();
    if (!points.has(key)) points.set(key, points.size);
    pointOf.push(points.get(key));
  }
  const around = Array.from({ length: points.size }, () => []);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.slice(t, t + 3)];
    const face = {
      points: corners.map((v) => pointOf[v]), rest: faceNormal(rest, corners), now: faceNormal(positions, corners),
    };
    for (const point of face.points) around[point].push(face);
  }
  // Parts grow over soft edges until nothing is left.
  const normals = around.map((faces) => {
    const left = new Set(faces), parts = [];
    for (const first of faces) {
      if (!left.delete(first)) continue;
      const part = [first];
      for (const one of part)
        for (const other of left) {
          const shared = other.points.filter((point) => one.points.includes(point)).length;
          if (shared >= 2 && degreesBetween(one.rest, other.rest) < kHardDegrees) {
            left.delete(other);
            part.push(other);
          }
        }
      parts.push(part.reduce((sum, { now }) => sum.map((x, k) => x + now[k]), [0, 0, 0]));
    }
    return parts;
  });
  return pointOf.map((point) => normals[point]);
}
