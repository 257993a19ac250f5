// SPDX-License-Identifier: Apache-2.0
// A mesh from the user's disk, with the files that belong to it: chosen, or dropped anywhere on the page. Making a model
// takes them from here.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce, showProblem } from '../page/announce';
import { isExport } from '../api/client';
import { isScene, openSceneFiles } from '../panels/scene_panel';
import { droppedFiles, kCompanionEndings, kMeshEndings, type GivenFile } from './file_set';
import './incoming.css';

/** The files that wait to be taken. */
export const incoming = signal<GivenFile[] | null>(null);

export function take(files: GivenFile[]): void {
  if (!files.length) return;
  if (isScene(files.map(({ path }) => path))) {
    announce(`Reading ${files[0].path}`);
    void openSceneFiles(files).catch(showProblem);
    return;
  }
  if (isExport) {
    showProblem(Object.assign(new Error('this page opens scenes only'), { where: files[0].path, tryThis: 'make the model in the studio, then open its scene here' }));
    return;
  }
  incoming.value = files;
  announce(`Reading ${files[0].path}${files.length > 1 ? ` and ${files.length - 1} more` : ''}`);
  if (!/^#\/make\/?$/.test(location.hash)) location.hash = '#/make';
}

export function FilePicker({ compact }: { compact: boolean }) {
  return (
    <label class={compact ? 'file-picker compact' : 'file-picker'}>
      <input
        type="file"
        multiple
        accept={[...kMeshEndings, ...kCompanionEndings].join(',')}
        class="visually-hidden"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          take(files.map((file) => ({ path: file.name, file })));
        }}
      />
      <span class="file-picker-face">
        {compact ? (
          'Choose another mesh'
        ) : (
          <>
            <strong>Drop a mesh</strong> anywhere on the page, or <span class="as-link">choose files</span>
          </>
        )}
      </span>
      {!compact && (
        <span class="hint">
          Surfaces: OBJ, STL, PLY, OFF, glTF. Volumes: MSH, MESH, VEG, VTK, VTU. Choose textures, .mtl and .bin files
          together with their mesh, or drop the whole folder.
        </span>
      )}
    </label>
  );
}

const hovering = signal(false);

/** Takes files that are dropped anywhere on the page; once on the page. */
export function DropAnywhere() {
  useEffect(() => {
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
        if (!event.dataTransfer || !holdsFile(event)) return;
        event.preventDefault();
        droppedFiles(event.dataTransfer).then(take, showProblem);
      },
      options,
    );
    return () => stops.abort();
  }, []);
  return hovering.value ? (
    <div class="drop-here" aria-hidden="true">
      <p>{isExport ? 'Drop the scene to open it' : 'Drop the mesh to make a model of it, or a scene to open it'}</p>
    </div>
  ) : null;
}
