// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of JSON, held against their schema.

use super::{board, column, text, tick_histogram};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};
use takt_kernel::histogram::Histogram;
use takt_kernel::report::{Column, Stage, write_json_line};

const SCHEMA: &str = include_str!("../../../docs/schema/histogram.schema.json");

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).unwrap()
}

fn printed(column: &Column<'_>) -> Value {
    let line = text(|out| write_json_line(out, column, board()));
    serde_json::from_str(line.strip_prefix("# JSON: ").unwrap()).unwrap()
}

#[test]
fn the_schema_is_one_and_describes_every_key() {
    jsonschema::draft202012::meta::validate(&schema()).unwrap();
    let schema = schema();
    let properties = schema["properties"].as_object().unwrap();
    assert!(properties.values().all(|property| property["description"].is_string()));
    let required: Vec<&str> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(required.len(), properties.len());
    assert!(required.iter().all(|key| properties.contains_key(*key)));
    // The line has these keys and no others.
    let histogram = tick_histogram();
    let object = printed(&column(0, histogram.view()));
    assert!(object.as_object().unwrap().keys().eq(properties.keys()));
}

#[test]
fn lines_are_valid_of_something_and_of_nothing() {
    let (histogram, empty) = (tick_histogram(), Histogram::<64>::new());
    let something = Column { core: 3, stage: Stage::Handler, task: "a \"b\\\u{1}", ..column(1, histogram.view()) };
    for column in [something, column(0, empty.view())] {
        validator().validate(&printed(&column)).unwrap();
    }
    // Beyond all bins, and sums that need more than 64 bits.
    let mut open = Histogram::<64>::new();
    (0..100).for_each(|cycle| open.record(1 << 60, cycle));
    let object = printed(&column(0, open.view()));
    assert_eq!(object["wide_bins"], json!([[1_u64 << 40, null, 100]]));
    validator().validate(&object).unwrap();
}

#[test]
fn a_line_with_one_thing_broken_is_refused() {
    let histogram = tick_histogram();
    let whole = printed(&column(0, histogram.view()));
    let validator = validator();
    for key in whole.as_object().unwrap().keys() {
        let mut broken = whole.clone();
        broken.as_object_mut().unwrap().remove(key);
        assert!(!validator.is_valid(&broken), "without {key}");
        // A kind of value that no key has.
        broken[key] = json!({});
        assert!(!validator.is_valid(&broken), "{key} is an object");
    }
    let wrong = [
        ("takt", json!("spectrum")),
        ("version", json!(2)),
        ("stage", json!("later")),
        ("core", json!(4)),
        ("priority", json!(0)),
        ("unit", json!("us")),
        ("counter_hz", json!(54_000_001)),
        ("count", json!(-1)),
        ("min", json!("1")),
        ("max", json!(1.5)),
        ("early_sum", json!(1)),
        ("overflow_cycles", json!(vec![0; 65])),
        ("bins", json!([[1, 2, 3]])),
        ("bins", json!([[1, 0]])),
        ("wide_bins", json!([[64, 67]])),
        ("wide_bins", json!([[null, 67, 1]])),
        ("identity", json!(1)),
        ("another", json!(1)),
    ];
    for (key, value) in wrong {
        let mut broken = whole.clone();
        broken[key] = value.clone();
        assert!(!validator.is_valid(&broken), "{key} is {value}");
    }
}

proptest! {
    #[test]
    fn whatever_was_recorded_is_valid(
        values in proptest::collection::vec(-(1_i64 << 48)..(1 << 48), 0..100),
        small in proptest::collection::vec(-50..200_i64, 0..100),
    ) {
        let mut histogram = Histogram::<64>::new();
        (0..).zip(values.iter().chain(&small)).for_each(|(cycle, &value)| histogram.record(value, cycle));
        prop_assert!(validator().is_valid(&printed(&column(0, histogram.view()))));
    }
}
