// SPDX-License-Identifier: Apache-2.0
// A build: under way, failed, or the finished model and how good it is. `#/make/JOB` finds it again.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce, showProblem } from '../page/announce';
import { startJob, type BuildResult, type Job } from '../api/jobs';
import { bytesText, count, durationText, massText, withoutCommands } from '../page/format';
import { download } from './download';
import { Compliance } from './compliance';
import { ProblemHere } from '../panels/fields';
import { buildRequest, flow } from './flow';
import { JobProgress } from '../panels/job_progress';
import { BasisWords, Frequencies, SpectrumPlot } from './spectrum';
import { Validation } from './validation';
import { createWork } from '../panels/work';
import './make.css';
import '../panels/parts.css';

const work = createWork<BuildResult>();

const copied = signal('');

export function CommandLine({ command }: { command: string }) {
  return (
    <div class="command">
      <pre tabIndex={0} aria-label="Command line">
        {command}
      </pre>
      <button
        type="button"
        title="Copy the command that builds the same model"
        onClick={() => {
          navigator.clipboard.writeText(command).then(
            () => {
              copied.value = command;
              announce('Copied');
            },
            () => showProblem(new Error('the browser does not allow the page to copy: select the text and copy it')),
          );
        }}
      >
        {copied.value === command ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

function Result({ job, result }: { job: Job<BuildResult>; result: BuildResult }) {
  const { info } = result;
  // Models of earlier versions do not say it.
  const staticResponses = info.static_responses ?? 0;
  const shapes = info.rank - staticResponses;
  const notes = [...new Set([...job.notes, ...info.notes].map(withoutCommands))].filter(Boolean);
  return (
    <>
      <p class="lead">
        Built in {durationText(info.seconds.total ?? job.seconds)}.{' '}
        {info.domains ? `${count(info.coordinates ?? 0, 'coordinate')} of ${count(info.domains, 'domain')}` : count(info.rank, 'shape')} replace the{' '}
        {count(3 * info.vertices, 'unknown')} of {count(info.elements, 'element')}.
      </p>
      <div class="row actions">
        <a class="button primary" href={`#/live/${result.id}`}>
          Open live view
        </a>
        <button
          type="button"
          onClick={() => void download(result.model, `${result.id}.glb`)}
          title="A glTF file, for Blender, three.js and game engines"
        >
          Download .glb ({bytesText(info.bytes)})
        </button>
        {!info.free_body && !info.domains && (
          <a
            class="button"
            href={`#/sketch/${result.id}`}
            title="Pull the body into the shapes that matter, and build a basis from them"
          >
            Sketch
          </a>
        )}
        <a class="button" href={`#/inspect/${result.id}`} title="Modes, frequencies and plots">
          Inspect
        </a>
        <a class="button" href="#/make">
          Change and build again
        </a>
      </div>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="result-grid">
        <section class="card">
          <h2>Natural frequencies</h2>
          <Frequencies hz={info.frequencies_hz} />
          <p class="muted">Mass: {massText(info.total_mass)}.</p>
        </section>
        {!info.domains && <section class="card">
          <h2>Basis</h2>
          {info.spectrum.length > 0 && (
            <>
              <BasisWords values={info.spectrum} rank={shapes} staticResponses={staticResponses} />
              <SpectrumPlot spectra={[{ title: 'this model', values: info.spectrum, rank: shapes }]} />
            </>
          )}
        </section>}
        {!info.domains && <section class="card wide">
          <h2>Local compliance</h2>
          <Compliance key={result.id} model={result.id} title={job.title} info={info} up={info.up ?? 'z'} />
        </section>}
        {!info.domains && <section class="card wide">
          <h2>Accuracy</h2>
          <Validation model={result.id} possible={!info.free_body} />
        </section>}
        <section class="card wide">
          <h2>Command line</h2>
          <CommandLine command={result.command || job.command} />
        </section>
      </div>
    </>
  );
}

async function again(id: string): Promise<void> {
  try {
    const job = await startJob(buildRequest(flow.value));
    // The same choices are the same job: the address does not change.
    if (job === id) void work.follow(id);
    else location.hash = `#/make/${job}`;
  } catch (error) {
    showProblem(error);
  }
}

export function BuildView({ id }: { id: string }) {
  useEffect(() => {
    void work.follow(id);
    return () => work.leave();
  }, [id]);
  const job = work.job.value;
  const over = job && (job.state === 'failed' || job.state === 'cancelled');
  return (
    <section class="page build" aria-busy={!job || job.state === 'running' || job.state === 'queued'}>
      <h1>{job ? job.title || 'A model' : 'A model'}</h1>
      {!job && !work.problem.value && <p class="loading">Loading the build …</p>}
      {job && (job.state === 'running' || job.state === 'queued') && (
        <div class="card">
          <JobProgress job={job} onCancel={() => void work.cancel()} />
          <p class="hint">You can close the page: the build continues and is listed in the gallery.</p>
        </div>
      )}
      {job?.state === 'cancelled' && <p role="status">This build was cancelled.</p>}
      {work.problem.value && <ProblemHere problem={work.problem.value} />}
      {over && (
        <div class="row actions">
          <a class="button primary" href="#/make">
            Change settings
          </a>
          {flow.value.upload && (
            <button type="button" onClick={() => void again(id)}>
              Build again
            </button>
          )}
          <a class="button" href="#/">
            Gallery
          </a>
        </div>
      )}
      {!job && work.problem.value && (
        <p>
          <a href="#/make">Make a model</a> or go to the <a href="#/">gallery</a>.
        </p>
      )}
      {job?.state === 'done' && job.result && <Result job={job} result={job.result} />}
      {over && job.command && (
        <details>
          <summary>Command line</summary>
          <CommandLine command={job.command} />
        </details>
      )}
    </section>
  );
}
