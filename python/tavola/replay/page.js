'use strict';
(async () => {
  const find = (id) => document.getElementById(id);
  const packed = Uint8Array.from(atob(find('data').textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const data = JSON.parse(await new Response(stream).text());
  const last = data.numbers.length - 1;
  const NARROW = 560;
  const STEP = 900;
  const DASHES = ['', '8 5', '2 5', '12 4 2 4'];
  const ICONS = {
    first: 'M4 4h2.5v12H4zM16 4v12L7 10z',
    back: 'M12.5 3.5 14.5 5.3 9.8 10l4.7 4.7-2 1.8L6 10z',
    play: 'M6 3.5v13L16.5 10z',
    pause: 'M5 4h3.5v12H5zM11.5 4H15v12h-3.5z',
    forward: 'M7.5 3.5 5.5 5.3 10.2 10l-4.7 4.7 2 1.8L14 10z',
    last: 'M13.5 4H16v12h-2.5zM4 4v12l9-6z',
  };
  let language = data.language;
  let place = 0;
  let timer = null;

  const words = () => data.words[language];
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

  function button(name, act) {
    const made = document.createElement('button');
    made.type = 'button';
    made.addEventListener('click', act);
    find('buttons').append(made);
    return { name, made };
  }
  const buttons = [
    button('first', () => go(0)),
    button('back', () => go(place - 1)),
    button('play', () => (timer === null ? play() : stop())),
    button('forward', () => go(place + 1)),
    button('last', () => go(last)),
  ];
  const languages = Object.entries(data.words).map(([code, { name }]) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.lang = code;
    made.textContent = name;
    made.addEventListener('click', () => {
      language = code;
      translate();
      draw();
    });
    find('languages').append(made);
    return { code, made };
  });

  function label({ name, made }) {
    const shown = name === 'play' && timer !== null ? 'pause' : name;
    made.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[shown]}"/></svg>`;
    made.title = words()[shown];
    made.setAttribute('aria-label', words()[shown]);
  }

  function translate() {
    document.documentElement.lang = language;
    document.title = words().title;
    document.querySelector('h1').textContent = words().title;
    find('options').textContent = words().options;
    find('slider').setAttribute('aria-label', words().position);
    find('languages').setAttribute('aria-label', words().language);
    for (const { code, made } of languages) made.setAttribute('aria-pressed', String(code === language));
    buttons.forEach(label);
    makeGraph();
  }

  function draw() {
    const layout = find('picture').clientWidth < NARROW ? 'narrow' : 'wide';
    const picture = data.pictures[language][layout][place];
    find('picture').innerHTML = picture.map((part) => data.parts[part]).join('');
    const number = fill(words().place, { number: data.numbers[place], last: data.numbers[last] });
    const turn = fill(words().turn, { turn: data.turns[place] });
    find('slider').value = String(place);
    find('slider').setAttribute('aria-valuetext', `${turn}, ${number}`);
    find('place').textContent = number;
    find('caption').textContent = data.captions[language][place] || (place === 0 ? words().start : turn);
    buttons[0].made.disabled = buttons[1].made.disabled = place === 0;
    buttons[3].made.disabled = buttons[4].made.disabled = place === last;
    showShares();
    fit();
  }

  /** In a notebook, the frame is as high as the page. */
  function fit() {
    try {
      const frame = window.frameElement;
      if (frame?.hasAttribute('srcdoc')) frame.style.height = `${document.documentElement.offsetHeight}px`;
    } catch {
      // The frame belongs to a page of another origin, which decides on its height.
    }
  }

  function go(to) {
    stop();
    place = Math.min(Math.max(to, 0), last);
    draw();
  }

  function play() {
    if (place === last) place = -1;
    const next = () => {
      place += 1;
      draw();
      if (place === last) stop();
    };
    timer = setInterval(next, STEP);
    label(buttons[2]);
    next();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    label(buttons[2]);
  }

  function makeGraph() {
    const { shares } = data;
    if (!shares) return;
    const x = (at) => (last === 0 ? 0 : (1000 * at) / last);
    const line = (seat, dash) =>
      `fill="none" stroke="var(--seat-${seat})" stroke-width="2.5" stroke-dasharray="${dash}" vector-effect="non-scaling-stroke"`;
    const lines = words().seats.map((_, seat) => {
      const points = shares.map((share, at) => `${x(at).toFixed(1)},${(100 - 100 * share[seat]).toFixed(1)}`);
      return `<polyline points="${points.join(' ')}" ${line(seat, DASHES[seat % 4])}/>`;
    });
    const rows = words().seats.map(
      (_, seat) =>
        `<li><svg viewBox="0 0 28 8" aria-hidden="true"><path d="M0 4H28" ${line(seat, DASHES[seat % 4])}/></svg><span></span></li>`,
    );
    find('graph').innerHTML =
      `<figcaption>${words().graph}</figcaption>` +
      `<svg viewBox="0 -4 1000 108" preserveAspectRatio="none" aria-hidden="true">` +
      `<path d="M0 50H1000" stroke="var(--t-line)" vector-effect="non-scaling-stroke"/>${lines.join('')}` +
      `<path id="cursor" stroke="var(--t-ink)" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>` +
      `<ul>${rows.join('')}</ul>`;
    find('graph').hidden = false;
    find('graph').querySelector('svg').addEventListener('click', (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width) * last));
    });
  }

  function showShares() {
    if (!data.shares) return;
    const at = last === 0 ? 0 : (1000 * place) / last;
    find('cursor').setAttribute('d', `M${at} -4V104`);
    find('graph')
      .querySelectorAll('li span')
      .forEach((span, seat) => {
        const share = Math.round(100 * data.shares[place][seat]);
        span.textContent = fill(words().share, { seat: words().seats[seat], share });
      });
  }

  const KEYS = {
    ArrowLeft: () => go(place - 1),
    ArrowRight: () => go(place + 1),
    Home: () => go(0),
    End: () => go(last),
    ' ': () => (timer === null ? play() : stop()),
  };
  document.addEventListener('keydown', (event) => {
    const pressed = event.target.closest('button') !== null && event.key === ' ';
    const slides = event.target === find('slider') && event.key !== ' ';
    if (event.ctrlKey || event.metaKey || event.altKey || pressed || slides || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  find('slider').addEventListener('input', (event) => go(Number(event.target.value)));
  let width = 0;
  new ResizeObserver(([entry]) => {
    // Its own height changes with the picture.
    if (entry.contentRect.width !== width) draw();
    width = entry.contentRect.width;
  }).observe(document.querySelector('main'));

  find('controls').hidden = false;
  translate();
  draw();
})();
