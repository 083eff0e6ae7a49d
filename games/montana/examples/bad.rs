use tavola_core::*;
use tavola_montana::Montana;
fn main() {
    let cases: serde_json::Value = serde_json::from_str(include_str!("../tests/positions_bad.json")).unwrap();
    for case in cases.as_array().unwrap() {
        let p = case["options"]["players"].to_string();
        let o = Options::new(Montana::INFO, [("players", p.as_str()), ("grain", case["options"]["grain"].as_str().unwrap())]).unwrap();
        let g = Montana::new(&o);
        let (field, why) = (case["field"].as_str().unwrap(), case["why"].as_str().unwrap());
        match g.parse_position(case["text"].as_str().unwrap()) {
            Ok(_) => println!("READ {field} ({why}): {}", case["text"]),
            Err(e) if !e.faults.iter().any(|f| f.starts_with(field)) => println!("OTHER {field} ({why}): {:?}", e.faults),
            _ => {}
        }
    }
}
