/* page.c - see page.h. */
#include "cli/report/page.h"

#include "base/html.h"
#include "output/decimal.h"
#include "output/pictures/scale.h"
#include "output/pictures/svg.h"

#include <stdarg.h>

static const char *const style[] = {
    ":root { color-scheme: light dark; --ink: #1d2430; --soft: #5c6675; --line: #d7dce3; --card: #ffffff; --back: "
    "#f4f6f9;\n"
    "  --accent: #0b62a8; --error: #b3261e; --warning: #8a5a00; }\n"
    "@media screen and (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #a3adba; --line: #3a424e;\n"
    "  --card: #1c2129; --back: #12161c; --accent: #6db3f2; --error: #ff8a80; --warning: #ffcc66; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe "
    "UI',\n"
    "  Roboto, 'Helvetica Neue', Arial, sans-serif; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }\n"
    "main { max-width: 64rem; margin: 0 auto; padding: 1rem; }\n"
    "header { padding: .5rem 0 0; } h1 { font-size: 1.55rem; line-height: 1.25; margin: .2rem 0; }\n"
    "header p { margin: .2rem 0; color: var(--soft); }\n"
    "nav { display: flex; flex-wrap: wrap; gap: .3rem .9rem; margin: .9rem 0; font-size: .92rem; }\n"
    "a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }\n"
    "section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1.1rem "
    "1.1rem;\n"
    "  margin: 0 0 1rem; }\n"
    "h2 { font-size: 1.15rem; margin: .1rem 0 .7rem; } h3 { font-size: 1rem; margin: 1.1rem 0 .4rem; }\n"
    "p { margin: .5rem 0; } .soft { color: var(--soft); } .small { font-size: .88rem; }\n"
    ".tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.2rem, 1fr)); gap: .6rem; margin: 0 0 "
    "1rem; }\n"
    ".tile { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .55rem .8rem; }\n"
    ".tile b { display: block; font-size: 1.3rem; line-height: 1.3; font-weight: 600; }\n"
    ".tile span { font-size: .82rem; color: var(--soft); }\n"
    ".charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 1rem; }\n"
    "figure { margin: 0; min-width: 0; break-inside: avoid; } figcaption { font-size: .9rem; font-weight: 600; }\n"
    "svg { display: block; } .chart { width: 100%; height: auto; }\n"
    ".chart text { font: 10.5px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; fill: var(--soft); }\n"
    ".grid { stroke: var(--line); stroke-width: 1; } .axis { stroke: var(--soft); stroke-width: 1; fill: none; }\n"
    ".trace { fill: none; stroke-width: 1.4; stroke-linejoin: round; vector-effect: non-scaling-stroke; }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .84rem; margin: .2rem 0 0; padding: 0;\n"
    "  list-style: none; } .legend i { display: inline-block; width: .9rem; height: .25rem; margin-right: .35rem;\n"
    "  vertical-align: middle; border-radius: 2px; }\n"
    ".wide { overflow-x: auto; max-width: 100%; }\n"
    "table { border-collapse: collapse; font-size: .92rem; } th, td { text-align: left; padding: .22rem .9rem .22rem "
    "0;\n"
    "  vertical-align: top; } table.list th { border-bottom: 1px solid var(--line); font-weight: 600; }\n",
    "table.list td { border-bottom: 1px solid var(--line); } table.list td.n, table.list th.n { text-align: right;\n"
    "  font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    "table.facts th { color: var(--soft); font-weight: 400; overflow-wrap: normal; }\n"
    ".bar { display: block; height: .55rem; border-radius: .2rem; background: var(--t0); min-width: 2px; }\n"
    "td.bars { width: 35%; min-width: 5rem; vertical-align: middle; }\n"
    ".graph svg { max-width: 100%; height: auto; margin: 0 auto; } /* what Graphviz draws black on white */\n"
    ".graph text:not([fill]) { fill: var(--ink); } .graph [stroke=black] { stroke: var(--ink); }\n"
    ".graph [fill=black] { fill: var(--ink); } .graph [fill=white] { fill: var(--card); }\n"
    ".graph [fill='#ffd27f'] + text { fill: #1d2430; }\n"
    ".graph [stroke='#404040'] { stroke: var(--soft); } .graph [stroke='#7f0000'] { stroke: var(--error); }\n"
    ".graph [fill='#7f0000'] { fill: var(--error); }\n"
    ".key b { font-weight: 600; } .loop { color: #d62728; } .cut { color: #1f77b4; }\n"
    ".cause { border-left: .25rem solid var(--accent); padding: .1rem 0 .1rem .8rem; margin: .8rem 0; }\n"
    "code, pre, .mono { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; "
    "font-size: .88em; }\n"
    "pre { white-space: pre; overflow-x: auto; margin: .3rem 0; line-height: 1.4; }\n"
    ".message { border-left: .25rem solid var(--line); padding: .1rem 0 .1rem .8rem; margin: .7rem 0; }\n"
    ".message.error { border-color: var(--error); } .message.warning { border-color: var(--warning); }\n"
    ".message .kind { font-weight: 600; } .error .kind { color: var(--error); } .warning .kind { color: "
    "var(--warning); }\n"
    "details > summary { cursor: pointer; color: var(--accent); }\n"
    "dl.equations { margin: .4rem 0; } dl.equations dt { font-weight: 600; margin-top: .5rem; }\n"
    "dl.equations dd { margin: .1rem 0 .1rem 1rem; overflow-x: auto; overflow-y: hidden; } math { font-size: 1.06em; "
    "math-style: normal; }\n"
    "table.matrix { border-collapse: collapse; } table.matrix td, table.matrix th { padding: .1rem .5rem; text-align: "
    "right;\n"
    "  font-weight: 400; white-space: nowrap; } table.matrix thead th { border-bottom: 1px solid var(--soft); }\n"
    "table.matrix tbody th { border-right: 1px solid var(--soft); } table.matrix td.zero { color: var(--line); }\n"
    "table.pairs { display: block; overflow-x: auto; max-width: 100%; } table.pairs td { padding: .1rem 1.2rem .1rem "
    "0; vertical-align: baseline; }\n"
    "footer { color: var(--soft); font-size: .85rem; padding: .3rem 0 1rem; }\n"
    "@media (max-width: 30rem) { main { padding: .6rem; } section { padding: .7rem .75rem .9rem; } h1 { font-size: "
    "1.3rem; }\n"
    "  th, td { padding-right: .6rem; } }\n"
    "@media print { :root { --back: #fff; --line: #c8ccd2; } @page { margin: 14mm 13mm; }\n"
    "  body { font-size: 10pt; } main { max-width: none; padding: 0; } nav { display: none; }\n"
    "  section { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .4rem 0; margin: 0; }\n"
    "  h2, h3, figcaption, dl.equations dt, p:has(+ .wide) { break-after: avoid; }\n"
    "  .cause, .message, tr, .tile, .graph, table.matrix, #statistics, #messages { break-inside: avoid; }\n"
    "  table.list tr:first-child { break-after: avoid; } .graph svg { max-height: 12cm; }\n"
    "  .charts { grid-template-columns: 1fr 1fr; } .tiles { grid-template-columns: repeat(4, 1fr); }\n"
    "  .wide, dl.equations dd, table.pairs { overflow: visible; } pre { white-space: pre-wrap; } .graph svg { "
    "min-width: 0 !important; }\n"
    "  math { font-size: .95em; } a { color: inherit; } }\n"};

static void write_colours(FILE *to, bool dark)
{
    fputs(":root {", to);
    for (int i = 0; i < CHART_COLOURS; i++)
        fprintf(to, " --t%d: %s;", i, chart_colour(i, dark));
    fputs(" }", to);
}

void page_begin(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
          "<title>",
          to);
    html_write(to, title);
    fputs("</title>\n<style>\n", to);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        fputs(style[i], to);
    write_colours(to, false);
    fputs("\n@media screen and (prefers-color-scheme: dark) { ", to);
    write_colours(to, true);
    fputs(" }\n", to);
    fputs("</style>\n</head>\n<body>\n<main>\n", to);
}

void page_end(FILE *to)
{
    fputs("</main>\n</body>\n</html>\n", to);
}

void page_section(FILE *to, const char *id, const char *name)
{
    fprintf(to, "<section id=\"%s\">\n<h2>%s</h2>\n", id, name);
}

void page_section_end(FILE *to)
{
    fputs("</section>\n", to);
}

void page_facts_begin(FILE *to)
{
    fputs("<table class=\"facts\">\n", to);
}

void page_fact(FILE *to, const char *name, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(to, "<tr><th>%s</th><td>", name);
    html_write(to, text);
    fputs("</td></tr>\n", to);
}

void page_facts_end(FILE *to)
{
    fputs("</table>\n", to);
}

void page_figures(struct chart *c, FILE *to)
{
    if (c)
        chart_svg(c, to);
    else
        fputs("<p>There was no memory for this picture.</p>\n", to);
}

void page_charts(struct chart *c, FILE *to)
{
    fputs("<div class=\"charts\">\n", to);
    page_figures(c, to);
    fputs("</div>\n", to);
}

void page_number(char *text, size_t size, double value, const char *unit)
{
    if (scale_takes_prefix(unit))
        decimal_engineering(value, 4, unit, "\xC2\xB5", text, size);
    else
        snprintf(text, size, "%.4g%s%s", value, *unit ? " " : "", unit);
}
