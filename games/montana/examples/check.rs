use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tavola_core::perft::next_actions;
use tavola_core::*;
use tavola_montana::Montana;

fn main() {
    let cases: serde_json::Value = serde_json::from_str(include_str!("../tests/perft.json")).unwrap();
    for case in cases.as_array().unwrap() {
        let p = case["options"]["players"].to_string();
        let o = Options::new(Montana::INFO, [("players", p.as_str()), ("grain", case["options"]["grain"].as_str().unwrap())]).unwrap();
        let g = Montana::new(&o);
        let s = match case["position"].as_str() { Some(t) => g.parse_position(t).unwrap(), None => g.start() };
        for (d, c) in (1..).zip(case["counts"].as_array().unwrap()) {
            let got = perft(&g, &s, d, &AtomicBool::new(false)).unwrap();
            println!("{} {d} {got} {}", if Some(got) == c.as_u64() { "ok" } else { "WRONG" }, c);
        }
    }
    let n: u64 = std::env::args().nth(1).map_or(50, |a| a.parse().unwrap());
    for players in ["2", "3", "4"] {
        for grain in ["shift", "second"] {
            let o = Options::new(Montana::INFO, [("players", players), ("grain", grain)]).unwrap();
            let g = Montana::new(&o);
            let (mut tokens, mut decisions, mut width, mut most, mut rounds, mut limit, mut turns) = (0u64, 0u64, 0u64, 0, 0u64, 0u64, 0u64);
            for seed in 0..n {
                let mut r = Random::new(seed);
                let mut s = g.start();
                let mut last = String::new();
                loop {
                    let text = g.position(&s);
                    match g.parse_position(&text) { Ok(t) => { assert!(t == s, "{text}\n{t:?}\n{s:?}"); assert_eq!(g.key(&t), g.key(&s)); } Err(e) => panic!("{text}: {e}") }
                    assert_eq!(g.key(&s), g.key_from_scratch(&s));
                    let f: Vec<&str> = text.split(' ').collect();
                    let t = format!("{} {}", f[8], f[9]);
                    if t != last { turns += 1; last = t; }
                    let mut a = vec![];
                    next_actions(&g, &s, &mut a);
                    if a.is_empty() { rounds += f[8].parse::<u64>().unwrap(); break; }
                    if matches!(g.to_act(&s), Actor::Seat(_)) {
                        decisions += 1; width += a.len() as u64; most = most.max(a.len());
                        assert!(a.len() >= 2);
                        let t: Vec<_> = a.iter().map(|&x| g.token(x)).collect();
                        assert!(t.windows(2).all(|p| p[0] < p[1]), "{t:?}");
                        for &x in &a { assert_eq!(g.parse_token(&g.token(x)), Some(x)); }
                    }
                    let x = a[r.below(a.len() as u32) as usize];
                    g.play_unchecked(&mut s, x);
                    tokens += 1;
                }
                if g.outcome(&s).unwrap().reason == "limit" { limit += 1; }
            }
            println!("{players} {grain}: tokens {} turns {} rounds {} limit {}% width {:.2} most {most}", tokens / n, turns / n, rounds / n, limit * 100 / n, width as f64 / decisions as f64);
            let t = Instant::now();
            let p = playouts(&g, &g.start(), 2000, 1, 1, &AtomicBool::new(false));
            let e = t.elapsed().as_secs_f64();
            println!("   {:.0} games/s {:.0} actions/s", p.count as f64 / e, p.actions as f64 / e);
        }
    }
}
