//! The files of vectors, their schema, and the file of results.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::values::plain;

/// A vector, with the definitions of its file.
pub(crate) struct Vector {
    json: Json,
    /// The definitions of the file, which vectors refer to by name.
    definitions: Map<String, Json>,
    models: Map<String, Json>,
}

impl Vector {
    pub(crate) fn id(&self) -> &str {
        self.json["id"].as_str().unwrap()
    }

    pub(crate) fn kind(&self) -> &str {
        self.json["kind"].as_str().unwrap()
    }

    pub(crate) const fn json(&self) -> &Json {
        &self.json
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        self.json[name].as_str().unwrap()
    }

    /// Returns a member of the vector, which may be null, or `None` if it is missing.
    pub(crate) fn find(&self, name: &str) -> Option<&Json> {
        self.json.get(name)
    }

    pub(crate) fn list(&self, name: &str) -> &[Json] {
        self.json[name].as_array().unwrap()
    }

    pub(crate) fn expected(&self) -> Json {
        plain(&self.json["expected"])
    }

    /// Returns a part of the vector with the definitions of its file.
    pub(crate) fn part(&self, json: &Json) -> Self {
        Self {
            json: json.clone(),
            definitions: self.definitions.clone(),
            models: self.models.clone(),
        }
    }

    /// Returns the name and the definition in the vector, or the definition that it refers to by name.
    pub(crate) fn definition(&self) -> (Option<&str>, Json) {
        self.definition_of("definition")
    }

    pub(crate) fn definition_of(&self, member: &str) -> (Option<&str>, Json) {
        match &self.json[member] {
            Json::String(name) => (Some(name), self.definition_named(name)),
            definition => (None, plain(definition)),
        }
    }

    /// Returns a definition of the file.
    pub(crate) fn definition_named(&self, name: &str) -> Json {
        plain(&self.definitions[name])
    }

    /// Returns the model in the vector, or the one that it refers to by name.
    pub(crate) fn model(&self) -> Json {
        match &self.json["model"] {
            Json::String(name) => self.models[name].clone(),
            model => model.clone(),
        }
    }
}

/// Returns all vectors of all files, whose ids are unique.
pub(crate) fn vectors() -> Vec<Vector> {
    let mut ids = HashSet::new();
    let mut vectors = Vec::new();
    for (path, file) in all() {
        let shared = |name| {
            file.get(name)
                .and_then(Json::as_object)
                .cloned()
                .unwrap_or_default()
        };
        for json in file["vectors"].as_array().unwrap() {
            let vector = Vector {
                json: json.clone(),
                definitions: shared("definitions"),
                models: shared("models"),
            };
            assert!(
                ids.insert(vector.id().to_owned()),
                "{path}: `{}` is there twice",
                vector.id()
            );
            vectors.push(vector);
        }
    }
    vectors
}

/// Returns the random cases of each machine, read while they run.
pub(crate) fn cases_of_the_oracle() -> Vec<(String, impl Iterator<Item = Vector>)> {
    let folder = std::env::var("SMITHY_WAITERS_CASES").unwrap();
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|name| name == "jsonl"));
    files
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let lines = BufReader::new(fs::File::open(path).unwrap()).lines();
            let cases = lines.map(|line| Vector {
                json: serde_json::from_str(&line.unwrap()).unwrap(),
                definitions: Map::new(),
                models: Map::new(),
            });
            (name, cases)
        })
        .collect()
}

/// Returns every file as JSON, by its path in the repository.
pub(crate) fn all() -> BTreeMap<String, Json> {
    let mut files = BTreeMap::new();
    collect(&root().join("tests/vectors"), &mut files);
    files
}

pub(crate) fn schema() -> Json {
    read(&root().join("tests/vectors.schema.json"))
}

/// Returns the kinds of vectors that Rust does not run: their inputs do not compile.
pub(crate) fn pending() -> Vec<String> {
    let kinds = read(&root().join("tests/pending.json"));
    serde_json::from_value(kinds["rust"].clone()).unwrap()
}

pub(crate) fn write_results(results: &BTreeMap<String, Json>) {
    let folder = root().join("target/vectors");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("rust.json"),
        serde_json::to_string(results).unwrap(),
    )
    .unwrap();
}

fn collect(folder: &Path, files: &mut BTreeMap<String, Json>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let shown = path.strip_prefix(root()).unwrap().display().to_string();
            files.insert(shown, read(&path));
        }
    }
}

fn read(path: &Path) -> Json {
    let text = fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the folder of the repository. The component's runner also includes this file.
fn root() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("tests/vectors.schema.json").is_file());
    root.unwrap().to_owned()
}
