// SPDX-License-Identifier: Apache-2.0
// The settings as a scene for `limber simulate` and as a Python program: docs/scene_file.md, docs/python.md.
import type { ModelInfo } from 'limber';
import { sceneKeys, type Settings } from '../sim/settings';

/** Without what is as the library has it anyway. */
function settingsOf(settings: Settings, info: ModelInfo, method: Settings['methods'][number]): Record<string, unknown> {
  const keys: Record<string, unknown> = { ...sceneKeys(settings, info, method) };
  if (method === 'stvk') {
    const changed = info.groups.filter((group) => {
      const { young, poisson, density } = settings.materials[group.name] ?? group;
      return young !== group.young || poisson !== group.poisson || density !== group.density;
    });
    if (changed.length === 0) delete keys.materials;
    else keys.materials = Object.fromEntries(changed.map(({ name }) => [name, settings.materials[name]]));
    if (settings.rank === info.rank) delete keys.rank;
  }
  keys.damping = Object.fromEntries(Object.entries(keys.damping as object).filter(([, value]) => value !== 0));
  if (Object.keys(keys.damping as object).length === 0) delete keys.damping;
  return keys;
}

export function commandLineText(settings: Settings, info: ModelInfo, model: string): string {
  const scene = {
    duration: 2, dt: settings.dt, gravity: settings.gravity,
    bodies: settings.methods.map((method) => ({
      name: method, model, method: method === 'stvk' ? 'stvk' : 'warp', ...settingsOf(settings, info, method),
    })),
    every: Math.max(1, Math.round(1 / 60 / settings.dt)),
  };
  // Lists of numbers in one line.
  const text = JSON.stringify(scene, null, 1).replace(/\[\s+([-\d.e+,\s]+?)\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`);
  const build = info.command ? `# The model was built with: ${info.command}\n` : '';
  return `${build}cat > scene.json <<'END'\n${text}\nEND\nlimber simulate scene.json -o motion.glb\n`;
}

// JSON's literals are Python's, but for these.
function python(value: unknown): string {
  if (Array.isArray(value)) return `(${value.map(python).join(', ')})`;
  if (value && typeof value === 'object')
    return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`).join(', ')}}`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

export function pythonText(settings: Settings, info: ModelInfo, model: string): string {
  const bodies = settings.methods.map((method) => {
    const words = { ...settingsOf(settings, info, method), gravity: settings.gravity };
    const type = method === 'stvk' ? 'Body' : 'WarpBody';
    return `${method} = limber.${type}(model, ${Object.entries(words).map(([key, value]) => `${key}=${python(value)}`).join(', ')})`;
  });
  return `import limber

model = limber.load(${JSON.stringify(model)})
${bodies.join('\n')}
for _ in range(${Math.round(2 / settings.dt)}):
${settings.methods.map((method) => `    ${method}.step(${settings.dt})`).join('\n')}
print(${settings.methods.map((method) => `${method}.q`).join(', ')})
`;
}
