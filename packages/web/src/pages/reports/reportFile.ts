/** Creates one file from a report: the contents of the page with its style sheet, without scripts and links. */

import paths from '../../styles/paths.css?inline';
import tokens from '../../styles/tokens.css?inline';

/** Elements that a file must not contain. */
const LEFT_OUT = 'button, select, input, .unseen, .stepper';
const KEPT_ATTRIBUTES =
  /^(?:class|style|d|x|y|x1|x2|y1|y2|cx|cy|r|points|width|height|viewBox|transform|text-anchor|stroke-dasharray|role|aria-label|scope|lang|dir)$/i;

/** @returns HTML of a copy that contains only texts, tables and drawings */
export function reportFile(report: HTMLElement): string {
  const copy = report.cloneNode(true) as HTMLElement;
  for (const element of copy.querySelectorAll(LEFT_OUT)) element.remove();
  for (const link of copy.querySelectorAll('a')) {
    const text = document.createElement('span');
    text.append(...link.childNodes);
    link.replaceWith(text);
  }
  for (const element of [copy, ...copy.querySelectorAll('*')])
    for (const { name } of [...element.attributes])
      if (!KEPT_ATTRIBUTES.test(name)) element.removeAttribute(name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Attack path report</title>
<style>${tokens}${paths}${STYLE}</style>
</head>
<body>
${copy.outerHTML}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light; --card: #fff; }
@page { size: A4; margin: 16mm; }
body { margin: 0 auto; max-width: 180mm; padding: 24px; color: #12161c; background: #fff; font: 14px/1.5 Inter, "Segoe UI", system-ui, sans-serif; }
h2 { margin: 28px 0 8px; font-size: 16px; } h3 { margin: 0; font-size: 14px; }
.kicker, .quiet, small { color: #5c6674; } .kicker { margin: 0; }
.one-number { margin: 0; font-size: 48px; font-weight: 650; line-height: 1.1; } .one-number small { font-size: 15px; font-weight: 400; }
table { width: 100%; border-collapse: collapse; } th, td { padding: 5px 8px 5px 0; border-bottom: 1px solid #dfe3e9; text-align: left; } .numeric { text-align: right; }
.report-card { margin: 12px 0; padding: 12px 16px; border: 1px solid #dfe3e9; border-radius: 8px; break-inside: avoid; }
.report-card > header { display: flex; justify-content: space-between; gap: 16px; }
.report-path { max-width: 620px; margin-top: 12px; font-size: 13px; } .icon { fill: none; stroke: currentcolor; stroke-width: 1.75; }
.kind-mark .shape { fill: color-mix(in oklab, var(--c) 13%, #fff); stroke: var(--c); stroke-width: 1.5; } .kind-mark .glyph { fill: none; stroke: var(--c); stroke-width: 1.75; } .kind-mark :is(.shape, .glyph) { vector-effect: non-scaling-stroke; }
.class-person { --c: var(--person); } .class-group { --c: var(--group); } .class-machine { --c: var(--machine); } .class-policy { --c: var(--policy); } .class-certificate { --c: var(--certificate); } .class-place { --c: var(--place); } .class-cloud { --c: var(--cloud); } .class-other { --c: var(--other); }
.better { color: #0b7468; } .worse { color: #b8430b; }
figure { margin: 0; } figcaption { font-weight: 600; } svg { max-width: 100%; overflow: visible; }
.grid { stroke: #dfe3e9; } .scale { fill: #5c6674; font-size: 12px; } polyline { fill: none; stroke-width: 2.2; }
.line-0 { stroke: #2a49d0; } .line-1 { stroke: #8a3a0c; } .line-2 { stroke: #23896f; } .line-3 { stroke: #d957b8; } .line-4 { stroke: #a88d16; } .line-5 { stroke: #2a1a50; }
.line circle { stroke: none; } .line-0 circle { fill: #2a49d0; } .line-1 circle { fill: #8a3a0c; } .line-2 circle { fill: #23896f; } .line-3 circle { fill: #d957b8; } .line-4 circle { fill: #a88d16; } .line-5 circle { fill: #2a1a50; }
.goal line { stroke: #0b7468; stroke-dasharray: 5 4; } .goal text { fill: #0b7468; font-size: 12px; } .end-label { fill: #12161c; font-size: 12px; }
.legend { list-style: none; padding: 0; } .legend li { stroke: none; }
`;
