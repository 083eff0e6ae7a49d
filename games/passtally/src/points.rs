//! Points for passes (rules 15).

/// The minimum of passes for 1 to 10 points.
const LEAST: [u32; 10] = [1, 2, 4, 7, 11, 16, 22, 29, 37, 46];

/// The passes from which the highest score applies, and that score.
const MOST: (u32, u32) = (56, 15);

/// The most points that a seat can score in a turn.
pub(crate) const MOST_TURN_POINTS: u8 = MOST.1 as u8;

/// The points for each number of passes.
static POINTS: [u8; MOST.0 as usize + 1] = {
    let mut points = [0; MOST.0 as usize + 1];
    let mut row = 0;
    while row < LEAST.len() {
        let mut passes = LEAST[row] as usize;
        while passes < points.len() {
            points[passes] = row as u8 + 1;
            passes += 1;
        }
        row += 1;
    }
    points[MOST.0 as usize] = MOST.1 as u8;
    points
};

/// The points for the passes of a turn.
#[inline]
pub(crate) fn points(passes: u32) -> u32 {
    POINTS[passes.min(MOST.0) as usize].into()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_of_the_rule_book() {
        let table = [
            (0, 0, 0),
            (1, 1, 1),
            (2, 3, 2),
            (4, 6, 3),
            (7, 10, 4),
            (11, 15, 5),
            (16, 21, 6),
            (22, 28, 7),
            (29, 36, 8),
            (37, 45, 9),
            (46, 55, 10),
            (56, 999, 15),
        ];
        for (least, most, points) in table {
            assert_eq!(super::points(least), points);
            assert_eq!(super::points(most), points);
        }
    }
}
