// SPDX-License-Identifier: Apache-2.0
// A mesh from the user's disk: chosen, or dropped anywhere on the page. Making a model takes it from here.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce } from '../announce';
import { isExport, type Problem } from '../api/client';
import './incoming.css';

/** The file that waits to be taken. */
export const incoming = signal<File | null>(null);

const kEndings = ['.obj', '.stl', '.ply', '.off', '.gltf', '.glb', '.msh', '.mesh', '.veg', '.vtk', '.vtu'];

/** Null: the file may be a mesh. */
export function endingProblem(name: string): Problem | null {
  if (kEndings.some((ending) => name.toLowerCase().endsWith(ending))) return null;
  return {
    where: name,
    problem: 'limber reads no files of this kind',
    try_this: `one that ends with ${kEndings.join(' ')}`,
  };
}

function take(file: File): void {
  incoming.value = file;
  announce(`Reading ${file.name}`);
  if (!/^#\/make\/?$/.test(location.hash)) location.hash = '#/make';
}

export function FilePicker({ compact }: { compact: boolean }) {
  return (
    <label class={compact ? 'file-picker compact' : 'file-picker'}>
      <input
        type="file"
        accept={kEndings.join(',')}
        class="visually-hidden"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) take(file);
        }}
      />
      <span class="file-picker-face">
        {compact ? (
          'Choose another file'
        ) : (
          <>
            <strong>Drop a mesh</strong> anywhere on the page, or <span class="as-link">choose a file</span>
          </>
        )}
      </span>
      {!compact && <span class="hint">Surfaces: OBJ, STL, PLY, OFF, glTF. Volumes: MSH, MESH, VEG, VTK, VTU.</span>}
    </label>
  );
}

const hovering = signal(false);

/** Takes a file that is dropped anywhere on the page; once on the page. */
export function DropAnywhere() {
  useEffect(() => {
    if (isExport) return;
    const stops = new AbortController();
    const options = { signal: stops.signal };
    const holdsFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    addEventListener(
      'dragover',
      (event) => {
        if (!holdsFile(event)) return;
        event.preventDefault();
        hovering.value = true;
      },
      options,
    );
    addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) hovering.value = false;
      },
      options,
    );
    addEventListener(
      'drop',
      (event) => {
        hovering.value = false;
        if (!holdsFile(event)) return;
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file) take(file);
      },
      options,
    );
    return () => stops.abort();
  }, []);
  return hovering.value ? (
    <div class="drop-here" aria-hidden="true">
      <p>Drop the mesh to make a model of it</p>
    </div>
  ) : null;
}
