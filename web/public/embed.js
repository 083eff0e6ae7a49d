/** The widget of a match: the server draws each position, and the buttons step through them. */
const { match, play, pause, failed } = document.body.dataset;
const language = document.documentElement.lang;
const [picture, slider, place, text, player] = ['picture', 'slider', 'place', 'text', 'play'].map((id) =>
  document.getElementById(id),
);
const address = `/api/matches/${encodeURIComponent(match)}`;

/** The time of a position while the game plays, and between two looks at a running match, in milliseconds. */
const STEP = 900;
const LOOK = 5000;

let plies = [0];
let at = 0;
let timer;

const source = (ply) => `${address}/picture.svg?ply=${ply}&language=${language}&colours=both`;

/** Shows a position, and fetches the next one. */
function show(wanted) {
  at = Math.min(Math.max(wanted, 0), plies.length - 1);
  picture.src = source(plies[at]);
  slider.value = at;
  place.textContent = `${at} / ${plies.length - 1}`;
  if (at < plies.length - 1) new Image().src = source(plies[at + 1]);
  document.getElementById('first').disabled = document.getElementById('back').disabled = at === 0;
  document.getElementById('forward').disabled = document.getElementById('last').disabled =
    at === plies.length - 1;
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  player.textContent = '⏵';
  player.setAttribute('aria-label', play);
}

function toggle() {
  if (timer !== undefined) return stop();
  if (at === plies.length - 1) show(0);
  player.textContent = '⏸';
  player.setAttribute('aria-label', pause);
  timer = setInterval(() => {
    show(at + 1);
    if (at === plies.length - 1) stop();
  }, STEP);
}

function step(to) {
  stop();
  show(to);
}

/** Asks for the match; a running one again and again. */
async function look(first) {
  let over = false;
  try {
    const answer = await fetch(`${address}/shared?language=${language}`);
    if (!answer.ok) throw new Error(String(answer.status));
    const shared = await answer.json();
    const latest = at === plies.length - 1;
    const changed = shared.plies.length !== plies.length;
    ({ plies, over } = shared);
    text.textContent = shared.text;
    slider.max = plies.length - 1;
    if (first || (changed && latest) || at >= plies.length) show(plies.length - 1);
    else if (changed) show(at);
  } catch {
    text.textContent = failed;
  }
  if (!over) setTimeout(look, LOOK);
}

const STEPS = {
  first: () => step(0),
  back: () => step(at - 1),
  play: toggle,
  forward: () => step(at + 1),
  last: () => step(plies.length - 1),
};
const KEYS = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last' };

for (const [id, act] of Object.entries(STEPS)) document.getElementById(id).addEventListener('click', act);
slider.addEventListener('input', () => step(Number(slider.value)));
addEventListener('keydown', (event) => {
  const act = STEPS[KEYS[event.key]];
  if (!act || event.target === slider) return;
  act();
  event.preventDefault();
});
void look(true);
