// SPDX-License-Identifier: Apache-2.0
// A plot that runs along with the motion.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dark } from '../page/theme';

export interface Line<Sample> {
  label: string;
  colour: string;
  of: (sample: Sample) => number | null;
}

/** Okabe and Ito's colours. */
export const kLineColours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

// Plots are drawn so often, ms: often enough for the eye, and the simulation has the rest.
const kInterval = 150;

/** `about`: where else the numbers are, for those who do not see the plot. */
export function LivePlot<Sample extends { time: number }>({ title, unit, lines, history, about = 'export it as CSV below' }: {
  title: string; unit: string; lines: Line<Sample>[]; history: { samples: Sample[] }; about?: string;
}) {
  const host = useRef<HTMLDivElement>(null);
  const isDark = dark.value;
  const key = lines.map(({ label }) => label).join();
  useEffect(() => {
    const at = host.current!;
    const ink = isDark ? '#a3b1bc' : '#55646f', grid = { stroke: isDark ? '#303b45' : '#d3dae0', width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui', labelFont: '12px system-ui', labelSize: 18 };
    const data = (): uPlot.AlignedData => [history.samples.map(({ time }) => time),
      ...lines.map(({ of }) => history.samples.map(of))];
    const plot = new uPlot({
      width: at.clientWidth || 320, height: 190, legend: { show: lines.length > 1, live: false },
      cursor: { show: false }, scales: { x: { time: false } },
      axes: [{ ...axis, label: 'time, s' }, {
        ...axis, label: unit, size: 58, values: (_plot, splits) => splits.map((value) => String(Number(value.toPrecision(3)))),
      }],
      series: [{ label: 'time' }, ...lines.map(({ label, colour }) => ({ label, stroke: colour, width: 1.6, points: { show: false } }))],
    }, data(), at);
    let shown = -1;
    const timer = setInterval(() => {
      const latest = history.samples[history.samples.length - 1]?.time ?? -1;
      if (latest === shown) return;
      shown = latest;
      plot.setData(data());
    }, kInterval);
    const resize = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height: 190 }));
    resize.observe(at);
    return () => {
      clearInterval(timer);
      resize.disconnect();
      plot.destroy();
    };
  }, [history, isDark, key]);
  return (
    <figure class="live-plot">
      <figcaption>{title}</figcaption>
      <div ref={host} role="img" aria-label={`${title} over time; ${about}`} />
    </figure>
  );
}
