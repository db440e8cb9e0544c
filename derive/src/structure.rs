//! Structs.

use quote::quote;
use syn::{DataStruct, Error, Fields, FieldsNamed, Ident, Result};

use crate::attributes::{Container, Part};
use crate::field::{self, Members};
use crate::implementation::Implementation;

pub(crate) fn implementation(
    name: &Ident,
    data: &DataStruct,
    container: &Container,
) -> Result<Implementation> {
    match &data.fields {
        Fields::Named(fields) => object(&members(fields, container)?, container),
        Fields::Unit => object(&Members::default(), container),
        Fields::Unnamed(fields) => {
            let mut fields = fields.unnamed.iter();
            let (Some(field), None) = (fields.next(), fields.next()) else {
                let message =
                    "a tuple struct must have exactly one field: paths refer to fields by name";
                return Err(Error::new_spanned(name, message));
            };
            let part = Part::from_field(&field.attrs)?;
            if part.skip {
                let message = "the only field cannot be skipped: skip the field that holds this type, or implement `Response` by hand";
                return Err(Error::new_spanned(field, message));
            }
            let view = field::view(field, &part, &quote!(&self.0), container)?;
            Ok(Implementation {
                view,
                members: None,
            })
        }
    }
}

fn object(members: &Members, container: &Container) -> Result<Implementation> {
    let path = &container.crate_path;
    Ok(Implementation {
        view: quote!(#path::View::Object(self)),
        members: Some(members.bodies(path)),
    })
}

fn members(fields: &FieldsNamed, container: &Container) -> Result<Members> {
    let mut members = Members::default();
    for field in &fields.named {
        let part = Part::from_field(&field.attrs)?;
        let Some(ident) = field.ident.as_ref().filter(|_| !part.skip) else {
            continue;
        };
        let view = field::view(field, &part, &quote!(&self.#ident), container)?;
        members.add(container.name_of_field(ident, &part), view, ident)?;
    }
    Ok(members)
}
