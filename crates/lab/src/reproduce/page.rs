//! Report page, without external files.

use std::time::Duration;

use tussle_catalog::text::counted;
use tussle_core::format::duration;
use tussle_view::{EscapedText, Figure, Theme};

use super::result::{Measurement, ReproductionResult, Row, percent};
use super::strip::strip;
use super::verdict::{SIGNIFICANCE_LEVEL, Verdict};

const CSS: &str = include_str!("../../assets/report.css");

/// Settings of the runs in a report.
#[derive(Clone, Debug)]
pub struct ReportSettings {
    /// Version of Tussle.
    pub version: &'static str,
    /// Option of the command line: `--quick` or `--full`.
    pub mode: &'static str,
    /// Seed of everything random.
    pub seed: u64,
    /// Numbers of games at once, without a time control and with one.
    pub jobs: [usize; 2],
    /// Number of reproductions of the run.
    pub asked: usize,
}

/// Writes the report page.
pub fn page(all: &[ReproductionResult], setting: &ReportSettings) -> String {
    let ReportSettings { version, mode, seed, jobs: [jobs, timed_jobs], asked } = setting;
    let seconds: f64 = all.iter().map(|one| one.seconds).sum();
    let count = |verdict| all.iter().filter(|one| one.verdict == verdict).count();
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Published numbers, run again</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n\
         <h1>Published numbers, run again</h1>\n\
         <p>Tables and figures of courses on game search beside what the same games and searches give now: \
         {} agree, {} differ, and of {} the published sample is too small to tell.</p>\n",
        count(Verdict::Agrees),
        count(Verdict::Differs),
        count(Verdict::TooSmall),
    );
    if all.len() < *asked {
        html += &format!(
            "<p class=\"left-out\">Stopped before the end: {} of {asked} are here.</p>\n",
            all.len()
        );
    }
    html += &contents(all);
    html += &how();
    for one in all {
        html += &section(one, mode, *seed);
    }
    html += &format!(
        "<footer class=\"faint\"><p>tussle {version}, <code>{mode}</code>, seed {seed}, {} at once \
         ({timed_jobs} where a clock runs), {}.</p></footer>\n</body>\n</html>\n",
        counted(*jobs as u64, "game"),
        duration(Duration::from_secs_f64(seconds))
    );
    html
}

fn contents(all: &[ReproductionResult]) -> String {
    let line = |one: &ReproductionResult| {
        format!(
            "<li>{} <a href=\"#{}\">{}</a> <span class=\"faint\">{}</span></li>\n",
            badge(one.verdict),
            one.name,
            EscapedText(one.title),
            one.tally()
        )
    };
    format!("<nav><ol>\n{}</ol></nav>\n", all.iter().map(line).collect::<String>())
}

/// Explains the verdicts.
fn how() -> String {
    format!(
        "<details><summary>How verdicts are made</summary>\n<ul class=\"notes\">\n\
         <li><b>Exact numbers</b> agree if they are the same.</li>\n\
         <li><b>k of n games</b>: published and ours <b>differ</b> if Fisher's exact test gives p &lt; {SIGNIFICANCE_LEVEL} \
         divided by the number of rows of the table, or if the published interval does not hold 50 % and ours lies \
         wholly on the other side. Otherwise \
         the published sample is <b>too small to tell</b> if its own 95 % interval (Wilson) holds 50 %: it would \
         agree with the claim and with its opposite; or if ours lies outside of that interval all the same. Otherwise \
         they <b>agree</b>. Games that repeat others, move by move, are no evidence: intervals and tests count \
         distinct games, and say how many there are where most are repeated.</li>\n\
         <li><b>Claims in words</b> became thresholds, written beside them: that is our reading. They differ if all \
         of our interval is below. Claims about <b>timed searches</b> have a tolerance, for the clock is noisy: a ply at \
         each point, and more at one point in twenty. They differ if noise makes so much with p &lt; {SIGNIFICANCE_LEVEL}. A warning \
         says so where the machine was busy.</li>\n\
         <li><b>One share above another</b> is too small to tell if the two published samples could be of one share \
         (p &gt; 0.05 divided by the number of rows: the larger one was picked \
         after they were seen).</li>\n\
         <li>A table <b>differs</b> if one of its rows does, and <b>agrees</b> if all of them do. Rows of a single \
         published game, or of none, are shown and have no say.</li>\n\
         <li>Where moves were limited by time, games are played at the published <b>effort</b>, which is what the \
         verdict is about, and at the published <b>time</b>, in which our searches see much more.</li>\n\
         </ul>\n</details>\n\
         <p class=\"legend\"><span><i class=\"published\"></i>published</span>\
         <span><i class=\"ours\"></i>ours, at the published effort</span>\
         <span><i class=\"timed\"></i>ours, at the published time</span>\
         <span>bars: 95 % intervals; strips run from 0 to 100 %</span></p>\n"
    )
}

fn section(one: &ReproductionResult, mode: &str, seed: u64) -> String {
    let mut html = format!(
        "<section id=\"{}\">\n<header><h2>{}</h2> {} <span class=\"faint\">{}</span></header>\n\
         <blockquote>{}</blockquote>\n<p class=\"source\">Published: {}.</p>\n",
        one.name,
        EscapedText(one.title),
        badge(one.verdict),
        one.tally(),
        EscapedText(one.claim),
        EscapedText(one.source),
    );
    let (counting, single): (Vec<&Row>, Vec<&Row>) = one.rows.iter().partition(|row| row.counts());
    html += &table(&counting);
    if !single.is_empty() {
        html += &format!(
            "<details><summary>Game by game: one published game each, too few to say anything alone</summary>\n\
             {}</details>\n",
            table(&single)
        );
    }
    if !one.figures.is_empty() {
        let figures = one.figures.iter().map(figure);
        html += &format!("<div class=\"figures\">\n{}</div>\n", figures.collect::<String>());
    }
    for warning in &one.warnings {
        html += &format!("<p class=\"left-out\">{}</p>\n", EscapedText(warning));
    }
    for what in &one.left_out {
        html +=
            &format!("<p class=\"left-out\">{}.</p>\n", EscapedText(what.trim_end_matches('.')));
    }
    if !one.notes.is_empty() {
        let notes = one.notes.iter().map(|note| format!("<li>{}</li>\n", EscapedText(note)));
        html += &format!("<ul class=\"notes\">\n{}</ul>\n", notes.collect::<String>());
    }
    if !one.effort.is_empty() {
        let lines = one.effort.iter().map(|line| format!("<li>{}</li>\n", EscapedText(line)));
        html += &format!(
            "<details><summary>What was played and measured</summary><ul class=\"notes\">\n{}</ul></details>\n",
            lines.collect::<String>()
        );
    }
    let seed = if seed == 1 { String::new() } else { format!(" --seed {seed}") };
    html += &format!(
        "<pre>tussle reproduce {} {mode}{seed}</pre>\n<p class=\"faint\">{}</p>\n</section>\n",
        one.name,
        duration(Duration::from_secs_f64(one.seconds))
    );
    html
}

fn table(rows: &[&Row]) -> String {
    let has_strips = rows.iter().any(|row| matches!(row.ours, Measurement::Share(_)));
    let strip_head = if has_strips { "<th>0 to 100 %</th>" } else { "" };
    let mut html = format!(
        "<table>\n<thead><tr><th></th><th>published</th><th>ours</th>{strip_head}<th>verdict</th></tr></thead>\n<tbody>\n"
    );
    for row in rows {
        let mut more = String::new();
        if let Some(ours) = &row.at_time {
            more += &format!("<li>at the published time {}</li>", brief(ours));
        }
        for (what, ours) in &row.beyond {
            more += &format!("<li>{}: {}</li>", EscapedText(what), brief(ours));
        }
        let mut ours = number(&row.ours);
        if !more.is_empty() {
            ours += &format!("<ul class=\"beyond\">{more}</ul>");
        }
        let published = number(&row.published);
        let strip = match strip(row) {
            Some(strip) => format!("<td>{strip}</td>"),
            None if has_strips => "<td></td>".to_owned(),
            None => String::new(),
        };
        html += &format!(
            "<tr><td class=\"what\">{}</td><td class=\"told\" data-name=\"published\">{published}</td>\
             <td class=\"told\" data-name=\"ours\">{ours}</td>{strip}\
             <td class=\"verdict\">{} <span class=\"why\">{}</span></td></tr>\n",
            EscapedText(&row.what),
            badge(row.verdict),
            EscapedText(&row.why)
        );
    }
    html + "</tbody>\n</table>\n"
}

/// Writes a number for a cell: first the share, which is compared.
fn number(measurement: &Measurement) -> String {
    match measurement {
        Measurement::Share(counted) if counted.of > 1 => {
            let (low, high) = counted.interval();
            format!(
                "<b>{} %</b> <span class=\"faint\">{}–{}</span><br><span class=\"faint\">{} of {}{}</span>",
                percent(counted.share()),
                percent(low),
                percent(high),
                counted.hits,
                counted.of,
                counted.repeated()
            )
        }
        Measurement::AtLeast(words, least) => {
            let more = if *least < 1.0 { " or more" } else { "" };
            format!(
                "“{}”<br><span class=\"faint\">read as {:.0} %{more}</span>",
                EscapedText(words),
                100.0 * least
            )
        }
        other => EscapedText(&other.words()).to_string(),
    }
}

/// Writes a number for a list.
fn brief(measurement: &Measurement) -> String {
    match measurement {
        Measurement::Share(counted) => {
            format!("<b>{} %</b> of {}{}", percent(counted.share()), counted.of, counted.repeated())
        }
        other => EscapedText(&other.words()).to_string(),
    }
}

fn figure(figure: &Figure) -> String {
    let draw =
        |theme, class| format!("<div class=\"figure {class}\">{}</div>\n", figure.svg(theme));
    draw(Theme::Light, "light") + &draw(Theme::Dark, "dark")
}

fn badge(verdict: Verdict) -> String {
    let class = match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::TooSmall | Verdict::Unpublished => "too-small",
    };
    let mark = match verdict {
        Verdict::Agrees => "✓",
        Verdict::Differs => "≠",
        Verdict::TooSmall => "?",
        Verdict::Unpublished => "–",
    };
    format!("<span class=\"badge {class}\">{mark} {}</span>", verdict.words())
}
