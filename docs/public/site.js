// The behaviour of pages in a browser, as a classic script: the site also opens from a folder,
// where browsers load no modules. `search.js` beside it holds the index of pages.
(() => {
  const root = document.currentScript.dataset.root;
  const find = (selector) => document.querySelector(selector);
  const shown = 12;

  // VitePress reads the reader's choice of colours at the next page.
  find('.VPSwitchAppearance')?.addEventListener('click', () => {
    const dark = document.documentElement.classList.toggle('dark');
    localStorage.setItem('vitepress-theme-appearance', dark ? 'dark' : 'light');
  });

  // On narrow screens a button opens the list of pages.
  for (const button of document.querySelectorAll('.VPLocalNav .menu, .VPNavBarHamburger')) {
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      find('.VPSidebar')?.classList.toggle('open');
    });
  }

  // Wide screens show the headings of the page.
  const aside = find('.VPDoc .aside-content');
  const headings = [...document.querySelectorAll('.vp-doc h2[id], .vp-doc h3[id]')];
  if (aside !== null && headings.length > 1) {
    const outline = document.createElement('nav');
    outline.className = 'outline';
    outline.setAttribute('aria-label', 'On this page');
    for (const heading of headings) {
      const link = document.createElement('a');
      link.href = `#${heading.id}`;
      link.className = heading.tagName.toLowerCase();
      link.textContent = heading.textContent.replace(/\s*\u200b$/, '');
      outline.append(link);
    }
    aside.prepend(outline);
  }

  const place = find('.VPNavBarSearch');
  const pages = globalThis.BATON_PAGES ?? [];
  if (place === null) return;
  const field = document.createElement('input');
  field.type = 'search';
  field.placeholder = 'Find a page or a name';
  field.setAttribute('aria-label', field.placeholder);
  const list = document.createElement('ul');
  list.className = 'found';
  place.append(field, list);

  /** The rank of a title for a search: smaller is better; infinite if it does not match. */
  const rank = (title, wanted) => {
    const at = title.toLowerCase().indexOf(wanted);
    return at < 0 ? Number.POSITIVE_INFINITY : at * 100 + title.length;
  };

  /** A text ranks below all titles: pages whose title and words begin with every word of the search. */
  const IN_TEXT = 1e6;
  const rankOf = ([title, , part, words = ''], wanted) => {
    const byTitle = rank(title, wanted);
    if (byTitle < IN_TEXT) return byTitle;
    const all = ` ${title} ${part} ${words}`.toLowerCase();
    const isThere = wanted.split(/\s+/).every((word) => all.includes(` ${word}`));
    return isThere ? IN_TEXT + title.length : Number.POSITIVE_INFINITY;
  };

  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase();
    const ranked = wanted === '' ? [] : pages.map((page) => [rankOf(page, wanted), page]);
    const hits = ranked.filter(([r]) => r < Number.POSITIVE_INFINITY).sort(([a], [b]) => a - b);
    list.replaceChildren(
      ...hits.slice(0, shown).map(([, [title, path, part]]) => {
        const item = document.createElement('li');
        const link = document.createElement('a');
        link.href = `${root}/${path}`;
        link.textContent = title;
        const where = document.createElement('small');
        where.textContent = ` ${part}`;
        link.append(where);
        item.append(link);
        return item;
      }),
    );
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click();
    if (event.key === 'Escape') list.replaceChildren();
  });
})();
